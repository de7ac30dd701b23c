/** `start` cannot run; the message gives the reason and what to do. */
export class StartRefusal extends Error {
  override readonly name = 'StartRefusal'
}
