import type { Screen, Screening } from '@quipu/core'
import type { Metrics } from '@quipu/runtime'
import type { Express } from 'express'
import type { ServiceIdentifier } from 'inversify'
import type { Extension } from '../extension.ts'
import type { WatchedRates } from '../fault/market-guard.ts'
import type {
  AppBase,
  ChainPorts,
  ExposurePorts,
  Funding,
  NetworkPorts,
  Paying,
  Reporting,
  Stores,
  Sweeping,
  System,
  Tenancy,
  WebhookPorts,
  Webhooks,
} from '../ports.ts'

/** A symbol that carries the type bound to it. */
export const symbol = <T>(name: string): ServiceIdentifier<T> => Symbol(name)

export const METRICS = symbol<Metrics>('Metrics')
export const SYSTEM = symbol<System>('System')
export const STORES = symbol<Stores>('Stores')
export const NETWORK = symbol<NetworkPorts>('Network')
export const RATES = symbol<WatchedRates>('Rates')
/** Undefined where nobody is screened. */
export const SCREENING = symbol<Screening | undefined>('Screening')
/** Undefined where nobody is screened. */
export const SCREEN = symbol<Screen | undefined>('Screen')
export const CHAIN = symbol<ChainPorts>('Chain')
export const WEBHOOK_PORTS = symbol<WebhookPorts | undefined>('WebhookPorts')
export const EXTENSION = symbol<Extension>('Extension')

export const TENANCY = symbol<Tenancy>('Tenancy')
export const PAYING = symbol<Paying>('Paying')
export const FUNDING = symbol<Funding>('Funding')
export const EXPOSURE = symbol<ExposurePorts>('Exposure')
export const REPORTING = symbol<Reporting>('Reporting')
/** Undefined where no treasury is configured. */
export const SWEEPING = symbol<Sweeping | undefined>('Sweeping')
/** Undefined where webhooks cannot be sent or signed: the API then has no endpoints for them. */
export const WEBHOOKS = symbol<Webhooks | undefined>('Webhooks')

export const APP_BASE = symbol<AppBase>('AppBase')
export const PUBLIC_APP = symbol<Express>('PublicApp')
export const OPERATOR_APP = symbol<Express>('OperatorApp')
