/** PostgreSQL cannot be started; the message says what is missing and what to do. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
