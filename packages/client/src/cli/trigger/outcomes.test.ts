import { publicOpenApi } from '@quipu/wire'
import { expect, test } from 'vitest'
import { notTriggered, outcomes } from './outcomes.ts'

type Schema = { readonly properties: { readonly type: { enum?: string[]; const?: string } } }
type Document = {
  readonly 'x-codes': Readonly<Record<'payouts' | 'reviews', Readonly<Record<string, unknown>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const document = publicOpenApi() as unknown as Document
const { payouts, reviews } = document['x-codes']
const eventTypes = ['PayoutEvent', 'DepositEvent', 'WalletEvent', 'WebhookTestEvent'].flatMap((name) => {
  const { enum: types, const: type } = document.components.schemas[name]?.properties.type ?? {}
  return types ?? [type]
})

/** Codes by what has them: of outcomes those that they end with, of other names their last part. */
function codesOf(noun: 'payout' | 'deposit'): readonly string[] {
  const triggered = Object.values(outcomes).flatMap((outcome) =>
    outcome.type === noun && outcome.code !== undefined ? [outcome.code] : [],
  )
  const others = Object.keys(notTriggered).filter((name) => name.startsWith(`${noun}.`))
  return [...triggered, ...others.flatMap((name) => name.split('.')[2] ?? [])].toSorted()
}

test('every event type can be triggered, or has the reason why not', () => {
  expect(eventTypes).toHaveLength(11)
  const names = [...Object.keys(outcomes), ...Object.keys(notTriggered)]
  expect(names).toEqual(expect.arrayContaining(eventTypes))
})

test('every code of a payout can be triggered, or has the reason why not', () => {
  expect(codesOf('payout')).toEqual(Object.keys(payouts).toSorted())
})

test('every code of a review can be triggered, or has the reason why not', () => {
  expect(codesOf('deposit')).toEqual(Object.keys(reviews).toSorted())
})

test('the name of an outcome begins with the event that reports it, and ends with its code', () => {
  const reported = [...eventTypes, 'payout.processing', 'payout.rejected'] // These two have no event.
  for (const name of [...Object.keys(outcomes), ...Object.keys(notTriggered)]) {
    const [noun, status, code, ...rest] = name.split('.')
    expect(reported, name).toContain(`${noun}.${status}`)
    expect(rest, name).toEqual([])
    const outcome = outcomes[name]
    if (code !== undefined && outcome !== undefined) expect(outcome, name).toMatchObject({ ends: status, code })
  }
})
