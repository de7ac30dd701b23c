/** The columns of a table, each under the name of its member: `t.tx_hash as "txHash"`. */
export const membersOf = (table: string, columns: string): string =>
  columns
    .split(' ')
    .map((name) => `${table}.${name} as "${name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}"`)
    .join(', ')
