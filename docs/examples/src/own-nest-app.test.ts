import { NestFactory } from '@nestjs/core'
import { onTestFinished, test } from 'vitest'
import { shopModule } from './own-nest-app.ts'
import { openShop, payBills } from './shop.fixture.ts'

test('a NestJS app that embeds the core pays a QR once, and refuses what it must', async () => {
  const opened = await openShop()
  const app = await NestFactory.create(shopModule(opened.ports, opened.shop), { logger: false })
  onTestFinished(() => app.close())
  await app.listen(0, '127.0.0.1')
  await payBills(await app.getUrl(), opened)
})
