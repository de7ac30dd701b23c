import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { RequestFailure } from '../api/request.ts'
import { Preferences } from '../preferences.tsx'
import { sessionTexts } from '../text/session-texts.ts'
import { type Text, useSay } from '../text/text.ts'
import { type SessionState, signIn, type SignInOptions, signInOptions } from '../api/session.ts'
import { place } from '../route/router.ts'
import { useStore } from '../store.ts'

type Because = Extract<SessionState, { readonly is: 'none' }>['because']

const reasons: Readonly<Record<Because, Text>> = {
  start: sessionTexts.start,
  ended: sessionTexts.ended,
  signed_out: sessionTexts.signedOut,
  unreachable: sessionTexts.unreachable,
}

/** How the provider's sign-in ended, in the address to which it leads back. */
const problems: Readonly<Record<string, Text>> = {
  unreachable: sessionTexts.providerAway,
  denied: sessionTexts.denied,
  refused: sessionTexts.notTrue,
  no_role: sessionTexts.noRole,
  no_name: sessionTexts.noName,
}

/** Opens a session at the provider, or with an operator token; then the page of the address is shown. */
export function SignIn({ because }: { readonly because: Because }): VNode {
  const say = useSay()
  const { path, query } = useStore(place)
  const [options, setOptions] = useState<SignInOptions>({ token: true, oidc: false })
  const title = say(sessionTexts.title)
  useEffect(() => {
    document.title = `${title} · Quipu`
  }, [title])
  useEffect(() => {
    signInOptions().then(setOptions, () => undefined) // The page of a token says so when it is sent.
  }, [])
  const ended = problems[query.get('sign_in') ?? '']
  const to = encodeURIComponent(`/console${path === '/' ? '' : path}`)
  return (
    <main class="sign-in">
      <div class="panel">
        <p class="brand">Quipu</p>
        <h1>{title}</h1>
        <p class="muted">{say(options.oidc && because === 'start' ? sessionTexts.startProvider : reasons[because])}</p>
        {options.oidc && (
          <>
            <p class="problem" role="alert">
              {ended && say(ended)}
            </p>
            <a class="button primary" href={`/operator/v1/sign-in?to=${to}`}>
              {say(sessionTexts.provider)}
            </a>
          </>
        )}
        {options.token && <TokenForm isFirst={!options.oidc} />}
      </div>
      <Preferences />
    </main>
  )
}

/** Asks for the token, and for a code once the API has asked for one. */
function TokenForm({ isFirst }: { readonly isFirst: boolean }): VNode {
  const say = useSay()
  const field = useRef<HTMLInputElement>(null)
  const code = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<Text | null>(null)
  const [needsCode, setNeedsCode] = useState(false)
  const [isSending, setIsSending] = useState(false)
  useEffect(() => {
    if (isFirst) field.current?.focus()
  }, [isFirst])
  useEffect(() => code.current?.focus(), [needsCode])

  const submit = async (): Promise<void> => {
    const token = field.current?.value.trim() ?? ''
    if (token === '') return setProblem(sessionTexts.missing)
    setIsSending(true)
    try {
      await signIn(token, needsCode ? code.current?.value.trim() : undefined)
    } catch (error) {
      setIsSending(false)
      const isCodeMissing = error instanceof RequestFailure && error.code === 'SECOND_FACTOR_REQUIRED'
      setNeedsCode(needsCode || isCodeMissing)
      setProblem(isCodeMissing ? null : problemOf(error, needsCode))
      const wrong = needsCode ? code.current : field.current
      wrong?.select()
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <label for="token">{say(sessionTexts.token)}</label>
      <input
        id="token"
        ref={field}
        type="password"
        autocomplete="off"
        spellcheck={false}
        maxLength={512}
        aria-describedby="token-hint token-problem"
        aria-invalid={problem !== null && !needsCode}
      />
      {needsCode && (
        <>
          <label for="code">{say(sessionTexts.code)}</label>
          <input
            id="code"
            ref={code}
            inputMode="numeric"
            autocomplete="one-time-code"
            maxLength={6}
            aria-describedby="token-problem"
            aria-invalid={problem !== null}
          />
        </>
      )}
      <p id="token-problem" class="problem" role="alert">
        {problem && say(problem)}
      </p>
      <button type="submit" class={isFirst ? 'primary' : ''} disabled={isSending}>
        {say(sessionTexts.submit)}
      </button>
      <p id="token-hint" class="muted small">
        {say(sessionTexts.tokenHint)}
      </p>
    </form>
  )
}

function problemOf(error: unknown, hasCode: boolean): Text {
  if (!(error instanceof RequestFailure) || error.status === 0) return sessionTexts.unreachable
  if (error.code === 'SECOND_FACTOR_LOCKED') return sessionTexts.locked
  if (error.status === 429) return sessionTexts.tooMany
  return hasCode && error.code !== 'AUTHENTICATION_FAILED' ? sessionTexts.wrongCode : sessionTexts.refused
}
