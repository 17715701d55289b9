/** The texts of the home page in English. */
export const home = { title: 'Home' } as const;
