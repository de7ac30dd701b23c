import type { Bob, PaymentOrder } from '@quipu/core'

/** A question on its way to the network. */
export type NetworkCall =
  | { readonly type: 'read'; readonly content: string }
  | { readonly type: 'pay'; readonly order: PaymentOrder }
  | { readonly type: 'status' | 'close'; readonly reference: string }

/** What happens between us and the network. Each may take as long as it likes. */
export type NetworkHooks = {
  /** On the way there. `lost`: it never arrives, nobody knows; `refused`: provably not sent. */
  readonly sending?: (call: NetworkCall) => Promise<'arrives' | 'lost' | 'refused'>
  /** On the way back, when the network has done its part. */
  readonly answering?: (call: NetworkCall) => Promise<'arrives' | 'lost'>
  /** What is really paid; the order's amount when absent. */
  readonly paying?: (order: PaymentOrder) => Bob
}

export type Carried<T> =
  | { readonly type: 'answered'; readonly answer: T }
  | { readonly type: 'not_sent'; readonly reason: string }
  | { readonly type: 'unknown'; readonly reason: string }

/** Takes a question to the network, which then acts, and brings its answer back. */
export async function carry<T>(
  { sending, answering }: NetworkHooks,
  call: NetworkCall,
  act: () => T,
): Promise<Carried<T>> {
  const there = (await sending?.(call)) ?? 'arrives'
  if (there === 'refused') return { type: 'not_sent', reason: 'connection refused' }
  if (there === 'lost') return { type: 'unknown', reason: 'the question was lost' }
  const answer = act()
  const back = (await answering?.(call)) ?? 'arrives'
  return back === 'arrives'
    ? { type: 'answered', answer }
    : { type: 'unknown', reason: 'the answer was lost' }
}
