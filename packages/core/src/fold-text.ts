/**
 * A text without accents and in lower case, to search by: `Panadería` and `PANADERIA` are one.
 */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .toLowerCase()
