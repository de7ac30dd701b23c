import { expect, test } from 'vitest'
import { admin, apiServer, type Ended, type RunOptions } from '../test/admin.fixture.ts'

const [one, two] = ['0f'.repeat(32), 'b7'.repeat(32)]
type Key = readonly [id: string, values: number, mark?: 'current' | 'lost']

/** An answer of the API with what these keys have made. */
const use = (...keys: readonly Key[]) => ({
  status: 200,
  body: {
    webhook_secrets: keys.map(([id, values, mark]) => ({
      id,
      values,
      current: mark === 'current',
      configured: mark !== 'lost',
    })),
    address_macs: null,
  },
})

/** Rotates with the setting, at an API that gives these answers in turn. */
async function rotated(
  ring: string,
  answers: readonly ReturnType<typeof use>[],
  { args = [], ...options }: RunOptions & { readonly args?: readonly string[] } = {},
): Promise<Ended> {
  await using server = await apiServer(...answers)
  const env = { ...server.env, WEBHOOK_SECRET_KEY: ring }
  return await admin(['secrets', 'rotate', 'WEBHOOK_SECRET_KEY', ...args], { ...options, env })
}

test('step 1 adds a key with the next id, which makes nothing yet', async () => {
  const { code, out, error } = await rotated(one, [use(['1', 4, 'current'])])
  expect(code).toBe(0)
  const [, fresh] = new RegExp(`^WEBHOOK_SECRET_KEY=1:${one},2:([0-9a-f]{64})\n$`).exec(out) ?? []
  expect(fresh).not.toBe(one)
  expect(error).toMatch(/^Step 1 of 3: key 2 is new, .*\n.*secrets rotate WEBHOOK_SECRET_KEY\n$/)
  const again = await rotated(one, [use(['1', 4, 'current'])])
  expect(again.out).not.toBe(out)
  const later = await rotated(`7:${one}`, [use(['7', 4, 'current'])], { args: ['--json'] })
  expect(JSON.parse(later.out)).toEqual({
    step: 'add',
    setting: 'WEBHOOK_SECRET_KEY',
    value: expect.stringMatching(new RegExp(`^7:${one},8:[0-9a-f]{64}$`)),
  })
})

test('step 2 makes the new key the current one', async () => {
  const api = use(['1', 4, 'current'], ['2', 0])
  const { code, out, error } = await rotated(`1:${one},2:${two}`, [api])
  expect({ code, out }).toEqual({ code: 0, out: `WEBHOOK_SECRET_KEY=2:${two},1:${one}\n` })
  expect(error).toMatch(/^Step 2 of 3: key 2 makes every new value from now on\./)
})

const renewing = [
  use(['1', 4, 'current'], ['2', 0]),
  use(['2', 1, 'current'], ['1', 3]),
  use(['2', 1, 'current'], ['1', 3]),
  use(['2', 4, 'current'], ['1', 0]),
] as const

test('step 3 waits until no value uses the old key, with a line for each progress', async () => {
  const pauses: number[] = []
  const { code, out, error } = await rotated(`2:${two},1:${one}`, [renewing[0], ...renewing], {
    args: ['--interval', '3'],
    pause: async (ms) => void pauses.push(ms),
  })
  expect({ code, out }).toEqual({ code: 0, out: `WEBHOOK_SECRET_KEY=2:${two}\n` })
  expect(pauses).toEqual([3_000, 3_000, 3_000])
  const [first, second, last, end] = error.split('\n')
  expect(first).toBe('0 of 4 values use key 2; the API does not make new ones with it yet')
  expect(second).toBe('1 of 4 values use key 2')
  expect(last).toMatch(/^Step 3 of 3: every value uses key 2, and key 1 may be deleted\. /)
  expect(end).toBe('')
})

test('on a terminal the progress is a bar', async () => {
  const shown = await rotated(`2:${two},1:${one}`, renewing, { showsProgress: true })
  expect(shown.error).toContain('[######                  ] 25 % 1 of 4 values use key 2')
})

test('--no-wait reports the progress, with exit code 1 while it goes on', async () => {
  const args = ['--no-wait']
  const under = await rotated(`2:${two},1:${one}`, [renewing[1]], { args })
  expect(under).toEqual({ code: 1, out: '', error: '1 of 4 values use key 2\n' })
  const done = await rotated(`2:${two},1:${one}`, [renewing[3]], { args })
  expect(done).toMatchObject({ code: 0, out: `WEBHOOK_SECRET_KEY=2:${two}\n` })
})

test('a renewal without progress for ten minutes says where to look', async () => {
  const stuck = Array.from({ length: 125 }, () => renewing[1])
  const { error } = await rotated(`2:${two},1:${one}`, [...stuck, renewing[3]])
  expect(error.match(/No progress for 10 minutes/g)).toHaveLength(1)
})

test.each([
  [
    'the processes do not have the new key yet',
    `1:${one},2:${two}`,
    use(['1', 4, 'current']),
    /^The API does not have key 2 yet/,
  ],
  [
    'the setting is older than that of the processes',
    one,
    use(['2', 1, 'current'], ['1', 3]),
    /^The API runs with another setting: its keys are 2 \(current\), 1\./,
  ],
  [
    'a key was deleted too early',
    `2:${two}`,
    use(['2', 1, 'current'], ['1', 3, 'lost']),
    /^The API lacks key 1, which has made 3 values: put it back/,
  ],
])('refuses when %s', async (_, ring, api, message) => {
  const { code, out, error } = await rotated(ring, [api])
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(error).toMatch(message)
})

test('a setting that the API does not have, or that is no ring of numbered keys, is refused', async () => {
  await using server = await apiServer(use(['1', 4, 'current']))
  const command = ['secrets', 'rotate']
  const macs = { ...server.env, ADDRESS_MAC_KEY: one }
  const without = await admin([...command, 'ADDRESS_MAC_KEY'], { env: macs })
  expect(without).toMatchObject({ code: 1, error: 'The API runs without ADDRESS_MAC_KEY: nothing to rotate.\n' })
  const unset = await admin([...command, 'WEBHOOK_SECRET_KEY'], { env: server.env })
  expect(unset).toMatchObject({ code: 2, error: expect.stringMatching(/is not set: name its file/) })
  expect((await rotated(`a:${one}`, [use(['a', 1, 'current'])])).error).toMatch(
    /^The ids of WEBHOOK_SECRET_KEY must be numbers/,
  )
  expect((await rotated('short', [use(['1', 4, 'current'])])).code).toBe(2)
})
