/** PostgreSQL could not be started here; the message says what is missing and how to get it. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
