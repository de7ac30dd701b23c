import { onTestFinished, test } from 'vitest'
import { shopServer } from './own-fastify-app.ts'
import { openShop, payBills } from './shop.fixture.ts'

test('a Fastify server that embeds the core pays a QR once, and refuses what it must', async () => {
  const opened = await openShop()
  const app = shopServer(opened.ports, opened.shop)
  onTestFinished(() => app.close())
  await payBills(await app.listen({ port: 0, host: '127.0.0.1' }), opened)
})
