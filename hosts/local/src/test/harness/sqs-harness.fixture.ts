import type { Tenant } from './tenant.fixture.ts'
import { startTestSqs, type TestSqs } from './sqs.fixture.ts'
import { openWebhookHarness, type WebhookHarness } from './webhook-harness.fixture.ts'

/** A webhook harness whose workers use an SQS, with an API and a registered endpoint. */
export type SqsHarness = WebhookHarness & {
  readonly sqs: TestSqs
  readonly api: Tenant
  /** Id of the endpoint. */
  readonly endpoint: string
}

/** @param more  additional settings of all processes */
export async function openSqsHarness(more: Readonly<Record<string, string>> = {}): Promise<SqsHarness> {
  const resources = new AsyncDisposableStack()
  const sqs = resources.adopt(await startTestSqs(), (it) => it.stop())
  const harness = resources.use(await openWebhookHarness({ ...sqs.env, ...more }))
  const [dispose, api] = [() => resources.disposeAsync(), await harness.openApi()]
  const endpoint = await harness.register(api)
  return { ...harness, sqs, api, endpoint, [Symbol.asyncDispose]: dispose }
}
