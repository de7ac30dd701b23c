/**
 * A name as lists are compared with it: without accents, capital, its words (letters and digits) in the order of the
 * alphabet. Two texts name the same exactly when these are equal; nothing is fuzzy.
 * `  Peña,  José ` becomes `JOSE PENA`.
 */
export const normalizedName = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .toSorted()
    .join(' ')
