import type { RateSource } from '@quipu/core'
import type { Express } from 'express'
import type { ServiceIdentifier } from 'inversify'
import type { Extension } from '../extension.ts'
import type {
  AppBase,
  ChainPorts,
  Funding,
  NetworkPorts,
  Paying,
  Stores,
  System,
  Tenancy,
  WebhookPorts,
  Webhooks,
} from '../ports.ts'

/** A symbol with the type of what is bound to it. */
export const named = <T>(name: string): ServiceIdentifier<T> => Symbol(name)

export const SYSTEM = named<System>('System')
export const STORES = named<Stores>('Stores')
export const NETWORK = named<NetworkPorts>('Network')
export const RATES = named<RateSource>('Rates')
export const CHAIN = named<ChainPorts>('Chain')
export const WEBHOOK_PORTS = named<WebhookPorts | undefined>('WebhookPorts')
export const EXTENSION = named<Extension>('Extension')

export const TENANCY = named<Tenancy>('Tenancy')
export const PAYING = named<Paying>('Paying')
export const FUNDING = named<Funding>('Funding')
/** Undefined where webhooks cannot be sent or signed: the API then has no endpoints for them. */
export const WEBHOOKS = named<Webhooks | undefined>('Webhooks')

export const APP_BASE = named<AppBase>('AppBase')
export const PUBLIC_APP = named<Express>('PublicApp')
export const OPERATOR_APP = named<Express>('OperatorApp')
