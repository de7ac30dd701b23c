import 'reflect-metadata'
import {
  type ArgumentsHost,
  Body,
  Catch,
  ConflictException,
  Controller,
  type DynamicModule,
  type ExceptionFilter,
  HttpCode,
  Inject,
  Param,
  Post,
  UnprocessableEntityException,
  BadRequestException,
} from '@nestjs/common'
import { APP_FILTER } from '@nestjs/core'
import * as quipu from '@quipu/core'
import { fingerprint, payoutToJson, quoteToJson } from '@quipu/wire'
import type { Response } from 'express'

const SHOP = Symbol('Shop')
const PORTS = Symbol('Ports')
const CREATE_QUOTE = Symbol('CreateQuote')
const CREATE_PAYOUT = Symbol('CreatePayout')

/** Two routes of a shop that pays its suppliers' QRs. */
@Controller('bills/:bill')
class Bills {
  readonly #shop: quipu.Tenant
  readonly #createQuote: quipu.CreateQuote
  readonly #createPayout: quipu.CreatePayout

  constructor(
    @Inject(SHOP) shop: quipu.Tenant,
    @Inject(CREATE_QUOTE) createQuote: quipu.CreateQuote,
    @Inject(CREATE_PAYOUT) createPayout: quipu.CreatePayout,
  ) {
    this.#shop = shop
    this.#createQuote = createQuote
    this.#createPayout = createPayout
  }

  @Post('price')
  @HttpCode(200)
  async price(@Body('amount') amount: unknown) {
    const target = typeof amount === 'string' ? quipu.parseMoney('BOB', amount) : undefined
    if (!target || target.minor === 0n) throw new BadRequestException({ code: 'AMOUNT' })
    const answer = await this.#createQuote(this.#shop, { target, resolutionId: null })
    if (answer.type === 'refused') throw new UnprocessableEntityException({ code: answer.code })
    return quoteToJson(answer.quote)
  }

  @Post('pay')
  @HttpCode(200)
  async pay(@Param('bill') bill: string, @Body('quote_id') quoteId: unknown, @Body('qr') content: unknown) {
    if (typeof quoteId !== 'string' || typeof content !== 'string') throw new BadRequestException({ code: 'BODY' })
    // One bill is one payment: repeating the request returns the same payout.
    const request = { transactionId: `bill-${bill}`, quoteId, content, description: null }
    const order = { ...request, fingerprint: fingerprint({ quoteId, content }) }
    const answer = await this.#createPayout(this.#shop, order)
    if (answer.type === 'refused') throw new ConflictException({ code: answer.code })
    return payoutToJson(answer.payout)
  }
}

/** The outcome is unknown. Repeating the request with the same body is always safe. */
@Catch(quipu.Unavailable)
class AskAgain implements ExceptionFilter {
  catch(_error: quipu.Unavailable, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(503).json({ code: 'ASK_AGAIN' })
  }
}

// oxlint-disable-next-line typescript/no-extraneous-class -- a class is the name of a module
class ShopModule {}

export type ShopPorts = quipu.CreateQuotePorts & quipu.CreatePayoutPorts

/** The core as providers of a module. Other modules of the program inject the same ones. */
export const shopModule = (ports: ShopPorts, shop: quipu.Tenant): DynamicModule => ({
  module: ShopModule,
  controllers: [Bills],
  providers: [
    { provide: PORTS, useValue: ports },
    { provide: SHOP, useValue: shop },
    {
      provide: CREATE_QUOTE,
      useFactory: (given: ShopPorts) => quipu.createQuote(given, { lifeSeconds: 60 }),
      inject: [PORTS],
    },
    {
      provide: CREATE_PAYOUT,
      useFactory: (given: ShopPorts) => quipu.createPayout(given, quipu.defaultPayoutSettings),
      inject: [PORTS],
    },
    { provide: APP_FILTER, useClass: AskAgain },
  ],
  exports: [CREATE_QUOTE, CREATE_PAYOUT],
})
