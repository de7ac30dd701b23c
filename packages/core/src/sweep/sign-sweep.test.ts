import { expect, test } from 'vitest'
import type { Acting } from '../access/operator.ts'
import type { SweepSignature } from './ports.ts'
import { type ImportSweepPorts, importSweep, type SignedSweep, signSweep } from './sign-sweep.ts'
import { batch, start, transferWith } from './sweep.fixture.ts'
import type { SweepTransfer } from './sweep.ts'
import { operatorNamed } from '../audit/operator.fixture.ts'

/** A store with these transfers, of which some are signed by others before the write. */
function harness(transfers: readonly SweepTransfer[], taken: readonly string[] = []) {
  const writes: { signatures: readonly SweepSignature[]; author: Acting }[] = []
  const ports: ImportSweepPorts = {
    sweeps: {
      find: async (id) => (id === batch.id ? { batch, transfers } : undefined),
      sign: async (_, signatures, author) => {
        writes.push({ signatures, author })
        const ids = signatures.map(({ transferId }) => transferId)
        return ids.filter((id) => !taken.includes(id))
      },
    },
    chain: {
      join: ({ txHash, expiresAt }, _, signature) =>
        signature.startsWith('good') ? { txHash, expiresAt, bytes: new Uint8Array() } : undefined,
    },
    now: () => start,
  }
  const signer = { sign: async ({ txHash }: { txHash: string }) => `good ${txHash}` }
  return { writes, imported: importSweep(ports), sign: signSweep({ ...ports, signer }) }
}

const one = transferWith()
const two = transferWith({ id: 'swp_2', txHash: 'cc' })
const signatureOf = ({ id, txHash }: SweepTransfer, over: Partial<SignedSweep> = {}) => ({
  id,
  txHash,
  signature: 'good',
  ...over,
})
const resultsOf = (answer: Awaited<ReturnType<ReturnType<typeof harness>['imported']>>) =>
  answer.type === 'imported' ? answer.results : []

test('an unknown batch is not found', async () => {
  const h = harness([one])
  expect(await h.imported(operatorNamed('ana'), 'swb_2', [signatureOf(one)])).toEqual({ type: 'not_found' })
  expect(await h.sign(operatorNamed('kms'), 'swb_2')).toEqual({ type: 'not_found' })
  expect(h.writes).toEqual([])
})

test('a transfer that another import signed meanwhile was already signed', async () => {
  const h = harness([one, two], ['swp_1'])
  const answer = await h.imported(operatorNamed('ana'), batch.id, [signatureOf(one), signatureOf(two)])
  expect(resultsOf(answer).map(({ result }) => result)).toEqual(['already_signed', 'signed'])
})

test.each([
  ['unknown_transfer', one, signatureOf(two)],
  ['other_bytes', one, signatureOf(one, { txHash: 'dd' })],
  ['wrong_signature', one, signatureOf(one, { signature: 'bad' })],
  ['ended', transferWith({ status: 'solid' }), signatureOf(one)],
  ['already_signed', transferWith({ status: 'signed', signature: 'good' }), signatureOf(one)],
] as const)('a signature is not stored: %s', async (result, stored, signed) => {
  const h = harness([stored])
  expect(resultsOf(await h.imported(operatorNamed('ana'), batch.id, [signed]))).toEqual([{ id: signed.id, result }])
  expect(h.writes).toEqual([])
})

test('a key management service signs the planned transfers alone', async () => {
  const ended = transferWith({ id: 'swp_3', status: 'expired' })
  const h = harness([one, transferWith({ ...two, status: 'signed', signature: 'good' }), ended])
  expect(resultsOf(await h.sign(operatorNamed('kms'), batch.id))).toEqual([{ id: 'swp_1', result: 'signed' }])
  expect(h.writes).toEqual([
    { signatures: [{ transferId: 'swp_1', signature: 'good aa' }], author: { ...operatorNamed('kms'), at: start } },
  ])
})
