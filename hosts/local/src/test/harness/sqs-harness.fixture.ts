import { startTestSqs, type TestSqs } from './sqs.fixture.ts'
import { openWebhookHarness, type WebhookHarness, type WebhookTenant } from './webhook-harness.fixture.ts'

/** A webhook harness whose workers use an SQS, with an API and a registered endpoint. */
export type SqsHarness = WebhookHarness & {
  readonly sqs: TestSqs
  readonly api: WebhookTenant
  /** Id of the endpoint. */
  readonly endpoint: string
}

export async function openSqsHarness(): Promise<SqsHarness> {
  const resources = new AsyncDisposableStack()
  const sqs = resources.adopt(await startTestSqs(), (it) => it.stop())
  const harness = resources.use(await openWebhookHarness(sqs.env))
  const [dispose, api] = [() => resources.disposeAsync(), await harness.openApi()]
  const endpoint = await harness.register(api)
  return { ...harness, sqs, api, endpoint, [Symbol.asyncDispose]: dispose }
}
