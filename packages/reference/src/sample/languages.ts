import { curl } from './curl.ts'
import { python } from './python.ts'
import type { SampleRequest } from './sample-request.ts'
import { typescript } from './typescript.ts'

export type Language = {
  readonly id: string
  readonly name: string
  readonly write: (request: SampleRequest) => string
}

const first: Language = { id: 'curl', name: 'curl', write: curl }

/** The languages of the samples. */
export const languages: readonly [Language, ...Language[]] = [
  first,
  { id: 'typescript', name: 'TypeScript', write: typescript },
  { id: 'python', name: 'Python', write: python },
]
