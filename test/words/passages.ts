import { Lexer, Source, TokenKind } from 'graphql';
import ts from 'typescript';
import type { Line, Passage } from './rules.ts';

/** Returns the prose of a file: the comments of code, the descriptions of a schema, a page of Markdown. */
export function passagesOf(path: string, text: string): Passage[] {
  if (path.endsWith('.md')) return [linesFrom(text, 1)];
  if (path.endsWith('.graphql')) return schemaPassages(text);
  if (path.endsWith('.prisma')) return joinLineComments(modelComments(text));
  return codePassages(path, text);
}

function linesFrom(text: string, first: number): Line[] {
  return text.split('\n').map((line, index) => ({ number: first + index, text: line }));
}

/** Every string and comment of the SDL: descriptions, reasons of `@deprecated`, and `#` lines. */
function schemaPassages(text: string): Passage[] {
  const lexer = new Lexer(new Source(text));
  const passages: Passage[] = [];
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    for (let before = token.prev; before?.kind === TokenKind.COMMENT; before = before.prev)
      passages.push([{ number: before.line, text: before.value }]);
    if (token.kind === TokenKind.STRING || token.kind === TokenKind.BLOCK_STRING) {
      const raw = text.slice(token.start, token.end).replace(/^"+|"+$/g, '');
      passages.push(linesFrom(raw, token.line).map(withoutIndentOf(token.column - 1)));
    }
  }
  return passages;
}

function withoutIndentOf(columns: number): (line: Line) => Line {
  return ({ number, text }) => ({ number, text: text.replace(new RegExp(`^ {1,${columns || 1}}`), '') });
}

function codePassages(path: string, text: string): Passage[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const blocks: Passage[] = [];
  const singles: Line[] = [];
  for (const { pos, end, kind } of commentsOf(file)) {
    const number = file.getLineAndCharacterOfPosition(pos).line + 1;
    const comment = text.slice(pos, end);
    if (kind === ts.SyntaxKind.SingleLineCommentTrivia)
      singles.push({ number, text: comment.replace(/^\/\/+ ?/, '') });
    else
      blocks.push(
        linesFrom(comment.replace(/^\/\*+|\*+\/$/g, ''), number).map((line) => ({
          ...line,
          text: line.text.replace(/^\s*\* ?/, ''),
        })),
      );
  }
  return [...blocks, ...joinLineComments(singles)];
}

function commentsOf(file: ts.SourceFile): Iterable<ts.CommentRange> {
  const found = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.JSDoc) return;
    const ranges = [
      ...(ts.getLeadingCommentRanges(file.text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(file.text, node.end) ?? []),
    ];
    if (node.kind !== ts.SyntaxKind.JsxText) for (const range of ranges) found.set(range.pos, range);
    node.getChildren(file).forEach(visit);
  };
  visit(file);
  return found.values();
}

function modelComments(text: string): Line[] {
  return linesFrom(text, 1).flatMap(({ number, text: line }) => {
    const comment = /^\s*\/\/+ ?(.*)$/.exec(line)?.[1];
    return comment === undefined ? [] : [{ number, text: comment }];
  });
}

/** Joins line comments that follow each other into one passage. */
function joinLineComments(lines: readonly Line[]): Passage[] {
  const passages: Line[][] = [];
  for (const line of [...lines].sort((a, b) => a.number - b.number)) {
    const last = passages.at(-1);
    if (last?.at(-1)?.number === line.number - 1) last.push(line);
    else passages.push([line]);
  }
  return passages;
}
