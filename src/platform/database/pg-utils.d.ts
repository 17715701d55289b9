declare module 'pg/lib/utils.js' {
  const utils: {
    /** Returns a value of a statement as the driver sends it. */
    readonly prepareValue: (value: unknown) => unknown;
  };
  export default utils;
}
