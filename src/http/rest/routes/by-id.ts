/** The path of one record, whose parameter is the argument `id`, or another. */
export const byId = (collection: string, parameter: string, below = '', argument = 'id') => ({
  path: `${collection}/{${parameter}}${below}`,
  params: { [parameter]: argument },
});
