/** Returns the same results and calls `ended` once when the results end, for whatever reason. */
export function onIteratorEnd<Result>(
  results: AsyncIterableIterator<Result>,
  ended: () => void,
): AsyncIterableIterator<Result> {
  let over = false;
  const end = (): void => {
    if (over) return;
    over = true;
    ended();
  };
  return {
    next: async () => {
      try {
        const result = await results.next();
        if (result.done) end();
        return result;
      } catch (fault) {
        end();
        throw fault;
      }
    },
    return: async (value: unknown) => {
      end();
      return (await results.return?.(value)) ?? { done: true, value: undefined };
    },
    throw: async (fault: unknown) => {
      end();
      return (await results.throw?.(fault)) ?? { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
