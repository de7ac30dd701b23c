/** `start` cannot run as things are; the message says why and what to do about it. */
export class StartRefusal extends Error {
  override readonly name = 'StartRefusal'
}
