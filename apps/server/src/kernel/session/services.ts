import type { Pools } from '@outpost/platform/db/pool'
import type { Log } from '@outpost/platform/log'
import type { Relay } from '@outpost/platform/relay'
import { createApiKeys, type ApiKeys } from './tokens/api-keys.ts'
import type { SessionChange } from './change.ts'
import { systemClock, type Clock } from './clock.ts'
import { createIdentities, type Identities } from './identity.ts'
import { createPasswords, type Passwords } from './passwords.ts'
import { newProgram } from './program.ts'
import { createSettingValues, type SettingValues } from '../settings/store.ts'
import { createAuthStore, type AuthStore } from './store.ts'
import type { Program } from '../types/ctx.ts'
import type { MasterSecrets } from '@outpost/platform/keys'
import { createTokens, type Tokens } from './tokens/tokens.ts'

export interface SessionOptions {
  pools: Pools
  secret: string
  /** Master secrets before it. */
  formerSecrets?: readonly string[]
  /** Of the token keys; default: the master secret. */
  accessSecret?: string
  keyGeneration?: number
  log: Log
  /** Address of the console as users see it; links in mails start with it, and https makes cookies Secure. */
  publicUrl: string
  relay?: Pick<Relay, 'publish' | 'subscribe'>
  clock?: Clock
  /** GET /api/auth/refresh/{token} of the specification, which puts a secret in an address. */
  hasLegacyRefresh?: boolean
  /** False: lists of addresses do not count. The operator's way in when a company has locked itself out. */
  hasIpLists?: boolean
  storageGb?: number
}

/** What the session kernel of one process consists of. */
export interface SessionServices {
  readonly pools: Pools
  /** The master secret, then those that it replaced. */
  readonly secrets: MasterSecrets
  readonly log: Log
  readonly publicUrl: string
  readonly isHttps: boolean
  readonly hasLegacyRefresh: boolean
  readonly hasIpLists: boolean
  /** What the operator gives a company for its files, in GB. */
  readonly storageGb: number
  readonly clock: Clock
  readonly store: AuthStore
  readonly tokens: Tokens
  readonly passwords: Passwords
  readonly identities: Identities
  readonly apiKeys: ApiKeys
  /** What companies chose for their settings. */
  readonly settings: SettingValues
  /** What the areas declare; empty until they are mounted. */
  readonly program: Program
  /** Rights, tenants, status or a session changed: every process forgets what it remembers, sockets look again. */
  changed(change: SessionChange): void
}

let started: SessionServices | undefined

/** Builds the session kernel and makes it the one of this process. */
export async function startSession(options: SessionOptions): Promise<SessionServices> {
  const {
    pools,
    secret,
    formerSecrets = [],
    accessSecret = secret,
    log,
    publicUrl,
    relay,
    clock = systemClock,
    keyGeneration = 1,
    hasLegacyRefresh = false,
    hasIpLists = true,
    storageGb = 5,
  } = options
  const store = createAuthStore(pools)
  const identities = createIdentities({ store, clock })
  const apiKeys = createApiKeys({ store, clock, log })
  const settings = createSettingValues({ store, clock })
  const forget = (change: SessionChange) => {
    identities.forget(change)
    apiKeys.forget(change)
    if (change.userId === undefined) settings.forget()
  }
  relay?.subscribe('session.changed', forget)
  const secrets: MasterSecrets = [secret, ...formerSecrets]
  started = {
    pools,
    secrets,
    log,
    publicUrl,
    hasLegacyRefresh,
    hasIpLists,
    storageGb,
    clock,
    store,
    identities,
    apiKeys,
    settings,
    program: newProgram(),
    isHttps: publicUrl.startsWith('https:'),
    tokens: await createTokens({ secret: accessSecret, generation: keyGeneration, clock }),
    passwords: createPasswords(secrets),
    changed: (change) => {
      forget(change)
      relay?.publish('session.changed', change)
    },
  }
  return started
}

/** The session kernel of this process; an error before startSession. */
export function session(): SessionServices {
  if (!started) throw new Error('The session kernel is not started')
  return started
}
