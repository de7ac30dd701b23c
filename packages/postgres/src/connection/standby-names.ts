/** A member of the list that any receiver of the log matches, also in quotes. */
const wildcards = new Set(['*', '"*"'])

/**
 * Whether a value of `synchronous_standby_names` makes every commit wait for a standby that it names. A list with `*`
 * does not: any receiver of the log may then confirm a commit, such as a backup that is being taken.
 *
 * @example
 * requiresStandby('ANY 1 (n2, n3)') // true
 * requiresStandby('FIRST 1 (n2, *)') // false
 */
export function requiresStandby(names: string): boolean {
  const members = names.match(/"(?:[^"]|"")*"|[^\s,()"]+/g) ?? []
  return members.length > 0 && !members.some((member) => wildcards.has(member))
}
