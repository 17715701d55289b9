#!/usr/bin/env node
'use strict';
// The program `paygraph` of an installed package and of a clone. Its syntax is old, so that an old Node reaches the
// sentence below.
const childProcess = require('child_process');
const fs = require('fs');
const compiler = require('module');
const path = require('path');
const url = require('url');

/** The first version that runs the service. The field `engines` of package.json says the same. */
const NEEDED = [22, 18];

const SOURCE = path.join(__dirname, 'main.ts');

/** The sources of a clone, or the built program of a package. */
const PROGRAM = fs.existsSync(SOURCE) ? SOURCE : path.join(__dirname, '..', '..', 'build', 'cli', 'main.js');

const isOld = () => {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1]);
};

/** Returns the Node that npm installed beside the package. Null if the installation ran no scripts. */
const ownNode = () => {
  try {
    const file = path.join(path.dirname(require.resolve('node/package.json')), 'bin', 'node');
    return fs.existsSync(file) ? file : null;
  } catch (_) {
    return null;
  }
};

/** Runs the program again under another Node, passes signals on, and ends as the program ends. */
const runUnder = (node) => {
  const child = childProcess.spawn(node, [__filename].concat(process.argv.slice(2)), { stdio: 'inherit' });
  ['SIGINT', 'SIGTERM', 'SIGHUP'].forEach((signal) => process.on(signal, () => child.kill(signal)));
  child.on('exit', (code) => process.exit(code === null ? 1 : code));
};

/**
 * Loads the program. The next start finds its files compiled, and needs three fifths of the time. Without the right to
 * write there, each start compiles.
 *
 * This file is JavaScript. So a start with compiled files never loads Node's compiler of TypeScript, which takes 9 MB.
 */
const load = () => {
  compiler.enableCompileCache(path.join(__dirname, '..', '..', 'node_modules', '.cache', 'paygraph'));
  import(url.pathToFileURL(PROGRAM));
};

const node = isOld() ? ownNode() : null;
if (!isOld()) load();
else if (node !== null) runUnder(node);
else {
  console.error(
    `Paygraph needs Node ${NEEDED.join('.')} or later, and this is Node ${process.versions.node}. ` +
      'Install a newer Node from https://nodejs.org, then run paygraph again.',
  );
  process.exitCode = 1;
}
