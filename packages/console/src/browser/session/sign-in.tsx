import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { RequestFailure } from '../api/request.ts'
import { Preferences } from '../preferences.tsx'
import { sessionTexts } from '../text/session-texts.ts'
import { type Text, useSay } from '../text/text.ts'
import { type SessionState, signIn } from '../api/session.ts'

type Because = Extract<SessionState, { readonly is: 'none' }>['because']

const reasons: Readonly<Record<Because, Text>> = {
  start: sessionTexts.start,
  ended: sessionTexts.ended,
  signed_out: sessionTexts.signedOut,
  unreachable: sessionTexts.unreachable,
}

/** Opens a session with an operator token; then the page of the address is shown. */
export function SignIn({ because }: { readonly because: Because }): VNode {
  const say = useSay()
  const field = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<Text | null>(null)
  const [isSending, setIsSending] = useState(false)
  useEffect(() => field.current?.focus(), [])
  const title = say(sessionTexts.title)
  useEffect(() => {
    document.title = `${title} · Quipu`
  }, [title])

  const submit = async (): Promise<void> => {
    const token = field.current?.value.trim() ?? ''
    if (token === '') return setProblem(sessionTexts.missing)
    setIsSending(true)
    try {
      await signIn(token)
    } catch (error) {
      setIsSending(false)
      setProblem(problemOf(error))
      field.current?.select()
    }
  }
  return (
    <main class="sign-in">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <p class="brand">Quipu</p>
        <h1>{say(sessionTexts.title)}</h1>
        <p class="muted">{say(reasons[because])}</p>
        <label for="token">{say(sessionTexts.token)}</label>
        <input
          id="token"
          ref={field}
          type="password"
          autocomplete="off"
          spellcheck={false}
          maxLength={512}
          aria-describedby="token-hint token-problem"
          aria-invalid={problem !== null}
        />
        <p id="token-problem" class="problem" role="alert">
          {problem && say(problem)}
        </p>
        <button type="submit" class="primary" disabled={isSending}>
          {say(sessionTexts.submit)}
        </button>
        <p id="token-hint" class="muted small">
          {say(sessionTexts.tokenHint)}
        </p>
      </form>
      <Preferences />
    </main>
  )
}

function problemOf(error: unknown): Text {
  if (!(error instanceof RequestFailure) || error.status === 0) return sessionTexts.unreachable
  return error.status === 429 ? sessionTexts.tooMany : sessionTexts.refused
}
