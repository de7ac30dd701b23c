/** `foldText` of the core, in SQL. @param text  an expression */
const folded = (text: string): string =>
  String.raw`lower(regexp_replace(normalize(${text}, nfkd), '[\u0300-\u036f]', '', 'g') collate pg_c_utf8)`

/** Whether a text contains another one that `foldText` has made. */
export const containsFolded = (text: string, part: string): string => `strpos(${folded(text)}, ${part}::text) > 0`
