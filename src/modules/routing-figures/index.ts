export { makeFigures } from './make.ts';
export { makeNextFigures, startRoutingFigures } from './worker.ts';
