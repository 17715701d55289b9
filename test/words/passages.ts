import { Lexer, Source, TokenKind } from 'graphql';
import ts from 'typescript';
import type { Line, Passage } from './rules.ts';

/** Returns the prose of a file: the comments of code and SQL, the descriptions of a schema, or a page. */
export function passagesOf(path: string, text: string): Passage[] {
  if (path.endsWith('.md')) return [linesFrom(text, 1)];
  if (path.endsWith('.graphql')) return schemaPassages(text);
  if (path.endsWith('.prisma')) return joinLineComments(lineComments(text, /^\s*\/\/+ ?(.*)$/));
  if (path.endsWith('.sql')) return joinLineComments(lineComments(text, /^-- ?(.*)$/));
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
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const blocks: Passage[] = [];
  const singles: Line[] = [];
  for (const [pos, comment] of commentsOf(file)) {
    const number = file.getLineAndCharacterOfPosition(pos).line + 1;
    if (comment.startsWith('//')) singles.push({ number, text: comment.replace(/^\/\/+ ?/, '') });
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

const COMMENT = /\/\/.*|\/\*[^]*?\*\//g;

/** Each comment with its position. A literal may hold what looks like one, so only the text between literals is searched. */
function* commentsOf(file: ts.SourceFile): Generator<[number, string]> {
  let from = 0;
  for (const [start, end] of [...literalsOf(file), [file.end, file.end] as const]) {
    for (const { 0: comment, index } of file.text.slice(from, start).matchAll(COMMENT))
      yield [from + index, comment];
    from = end;
  }
}

/** The ranges of strings, templates, regular expressions and JSX text, in the order of the file. */
function literalsOf(file: ts.SourceFile): (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isLiteralExpression(node) || ts.isTemplateMiddleOrTemplateTail(node) || ts.isTemplateHead(node))
      found.push([node.getStart(file), node.end]);
    else if (ts.isJsxText(node)) found.push([node.pos, node.end]);
    else ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Returns the lines that are comments, without their marks. The group of the pattern is the comment. */
function lineComments(text: string, pattern: RegExp): Line[] {
  return linesFrom(text, 1).flatMap(({ number, text: line }) => {
    const comment = pattern.exec(line)?.[1];
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
