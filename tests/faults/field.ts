import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { ChangeRecord, PushAnswer, PushResult } from '@outpost/contract/sync/protocol'
import type { Make, MadeTenant, MadeUser } from '../support/make.ts'
import { isNightly } from '../support/size.ts'
import type { Random } from '../support/draws.ts'

/** How a request went that was repeated until somebody answered. */
export interface Told {
  status: number
  body: Record<string, unknown>
  failed: Failed[]
}
/** A try that brought no verdict: status 0 when the connection broke. */
export interface Failed {
  at: number
  status: number
  code?: string
  /** What broke on the way. */
  why?: string
}

/** `user`: who signs in again when the token has run out, as after ten minutes of a long form. */
export interface Caller {
  url(): string
  token: string
  user?: MadeUser
}

/** How long a server may be away; the nightly form runs for an hour, whatever else the machine does meanwhile. */
export const patienceMs = isNightly ? 600_000 : 60_000

const isFinal = (status: number) => status > 0 && status < 500 && status !== 429

/** How long a verdict is waited for, and the longest pause between two tries, which grow up to it. */
export interface Patience {
  limitMs?: number
  longestPauseMs?: number
  watch?: Watch
}

/** What a device does at present, since when, and its tries in vain; for whoever waits for it. */
export interface Watch {
  doing: string
  since: number
  failed: readonly Failed[]
}
export const nothingYet = (): Watch => ({ doing: 'nothing yet', since: performance.now(), failed: [] })
/** Begins something else. */
export const begin = (watch: Watch | undefined, doing: string, failed: readonly Failed[] = []): void =>
  void (watch && Object.assign(watch, { doing, failed, since: performance.now() }))

/** In a line: what a device does, for how long, how often in vain, and how the last tries ended. */
export function wordsOf({ doing, since, failed }: Watch): string {
  const last = failed.slice(-3).map(({ status, code, why }) => [status, code, why].filter((part) => part !== undefined).join(' '))
  const vain = failed.length > 0 ? `, ${failed.length} tries in vain, at last ${last.join('; ')}` : ''
  return `${doing} for ${Math.round((performance.now() - since) / 1_000)} s${vain}`
}

/** POSTs until a verdict comes, over kept-alive connections, as a device does: network errors and 5xx are no verdict. */
export async function insist(caller: Caller, path: string, body: unknown, patience: Patience = {}): Promise<Told> {
  const { limitMs = patienceMs, longestPauseMs = 40 } = patience
  const failed: Failed[] = []
  const end = performance.now() + limitMs
  const text = JSON.stringify(body)
  begin(patience.watch, path, failed)
  for (;;) {
    const told = await tryOnce(`${caller.url()}${path}`, caller.token, text)
    if (caller.user && told.body['code'] === 'SESSION_EXPIRED') {
      caller.token = await signIn(caller.url(), caller.user, patience)
      begin(patience.watch, path, failed)
      continue
    }
    if (isFinal(told.status)) return { ...told, failed }
    failed.push({
      at: performance.now(),
      status: told.status,
      ...(typeof told.body['code'] === 'string' ? { code: told.body['code'] } : {}),
      ...(told.why === undefined ? {} : { why: told.why }),
    })
    if (performance.now() > end) throw new Error(`${path} got no verdict within ${limitMs} ms: ${JSON.stringify(failed.slice(-5))}`)
    const pause = Math.min(longestPauseMs, 40 * 2 ** Math.min(failed.length - 1, 10))
    await new Promise((done) => setTimeout(done, pause * (0.75 + Math.random() / 2)))
  }
}

async function tryOnce(url: string, token: string, text: string): Promise<{ status: number; body: Record<string, unknown>; why?: string }> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      body: text,
      signal: AbortSignal.timeout(20_000),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-native': '1' },
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  } catch (error) {
    // Refused, reset, cut or too slow: the caller counts it as a try without a verdict.
    return { status: 0, body: {}, why: reasonOf(error) }
  }
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  const { code, message: inner } = (cause ?? {}) as NodeJS.ErrnoException
  return code ?? inner ?? message
}

export async function signIn(url: string, { emailAddress, password }: MadeUser, patience?: Patience): Promise<string> {
  const { status, body } = await insist({ url: () => url, token: '' }, '/api/auth/login', { email: emailAddress, password }, patience)
  if (status !== 200) throw new Error(`could not sign in: ${JSON.stringify(body)}`)
  return (body['data'] as { token: string }).token
}

export interface Field {
  company: MadeTenant
  branch: MadeTenant
  officers: MadeUser[]
}

export async function makeField(make: Make, count: number): Promise<Field> {
  const company = await make.company()
  const branch = await make.tenant({ company })
  const officers: MadeUser[] = []
  for (let n = 0; n < count; n += 1) officers.push(await make.user({ role: 'officer', tenant: branch }))
  return { company, branch, officers }
}

let phones = 720_000_000
export const newPhone = () => `0${(phones += 1)}`

interface Held {
  id: string
  version: number
  city: string
}

export interface Device {
  /** Sends one batch of new leads and edits of own ones until it has its verdicts. */
  pushBatch(size: number): Promise<void>
  /** The last verdict on each change. */
  verdicts: Map<string, PushResult>
  failed: Failed[]
  /** What the device believes each of its leads to be. */
  held: Map<string, Held>
}

interface DeviceOptions {
  caller: Caller
  user: MadeUser
  tenant: MadeTenant
  random: Random
  patience?: Patience
}

/** An officer's device whose log is sent in order, each batch until it is answered. */
export function makeDevice({ caller, user, tenant, random, patience }: DeviceOptions): Device {
  const deviceId = randomUUID()
  const device = { verdicts: new Map<string, PushResult>(), failed: [] as Failed[], held: new Map<string, Held>() }
  let clientSeq = 0
  const envelope = (change: Pick<ChangeRecord, 'changeType' | 'entityId' | 'version'> & Partial<ChangeRecord>): ChangeRecord => ({
    clientSeq: (clientSeq += 1),
    changeId: randomUUID(),
    schema: 1,
    deviceId,
    tenantId: tenant.id,
    userId: user.id,
    entityType: 'lead',
    dateModified: new Date().toISOString(),
    patch: {},
    deps: [],
    ...change,
  })
  const nextChange = (touched: Set<string>): ChangeRecord => {
    const old = random.pick([...device.held.values()].filter(({ id }) => !touched.has(id)))
    if (!old || random.chance(0.6)) {
      const id = randomUUID()
      touched.add(id)
      return envelope({
        changeType: 'INSERT',
        entityId: id,
        version: 0,
        snapshot: { firstName: 'Njeri', lastName: 'Mwangi', phonenumber: newPhone(), city: 'Thika' },
      })
    }
    touched.add(old.id)
    return envelope({ changeType: 'UPDATE', entityId: old.id, version: old.version, patch: { city: [old.city, `Town ${clientSeq}`] } })
  }
  const pushBatch = async (size: number) => {
    const touched = new Set<string>()
    const changes = Array.from({ length: size }, () => nextChange(touched))
    const { body, status, failed } = await insist(
      caller,
      '/api/sync/push',
      {
        protocol: 1,
        deviceId,
        clientNow: new Date().toISOString(),
        pendingCount: size,
        oldestPendingAt: null,
        persisted: true,
        maxClientSeq: clientSeq,
        changes,
      },
      patience,
    )
    device.failed.push(...failed)
    const { results } = body as unknown as PushAnswer
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
    for (const [index, change] of changes.entries()) take(device, change, results[index])
  }
  return { ...device, pushBatch }
}

function take({ verdicts, held }: Pick<Device, 'verdicts' | 'held'>, change: ChangeRecord, result: PushResult | undefined): void {
  if (!result || !(result.status === 'applied' || (result.status === 'duplicate' && result.first === 'applied'))) {
    throw new Error(`a change was not applied: ${JSON.stringify(result)}`)
  }
  verdicts.set(change.changeId, result)
  const city = change.changeType === 'INSERT' ? 'Thika' : (change.patch['city'] as [string, string])[1]
  held.set(change.entityId, { id: change.entityId, version: change.version + 1, city })
}

export interface Account {
  counter: number
  receipts: number
  numbers: number
  highest: number
  /** Receipts of applied changes, and what the versions of the rows add up to. */
  applied: number
  versions: number
  /** Live rows whose number is not their feed's. */
  adrift: number
}

/** Invariants I1 to I3 of sync.md for a company, as one row of figures. */
export async function accountOf(admin: pg.Pool, companyId: string): Promise<Account> {
  const { rows } = await admin.query<Account>(
    `
    select (select seq::int from sync_stream where "companyId" = $1) as counter,
      (select count(*)::int from sync_receipt where "companyId" = $1) as receipts,
      (select count(distinct seq)::int from sync_receipt where "companyId" = $1) as numbers,
      (select max(seq)::int from sync_receipt where "companyId" = $1) as highest,
      (select count(*)::int from sync_receipt where "companyId" = $1 and result in ('applied', 'merged')) as applied,
      (select sum(version)::int from lead where "companyId" = $1) as versions,
      (select count(*)::int from lead l where "companyId" = $1 and not exists (select from sync_feed f
        where f."companyId" = l."companyId" and f."entityId" = l.id and f."tenantId" = l."tenantId" and f.seq = l."syncSeq")) as adrift`,
    [companyId],
  )
  return rows[0] as Account
}

/** Acknowledged changes and records of the devices that the database does not hold as it reported them. */
export async function missingOf(admin: pg.Pool, companyId: string, devices: readonly Device[]): Promise<string[]> {
  const receipts = await admin.query<{ changeId: string; seq: number; n: number }>(
    'select "changeId", min(seq)::int as seq, count(*)::int as n from sync_receipt where "companyId" = $1 group by 1',
    [companyId],
  )
  const leads = await admin.query<{ id: string; city: string; version: number }>(
    'select id, city, version::int from lead where "companyId" = $1',
    [companyId],
  )
  const [receiptOf, leadOf] = [new Map(receipts.rows.map((row) => [row.changeId, row])), new Map(leads.rows.map((row) => [row.id, row]))]
  return devices.flatMap(({ verdicts, held }) => [
    ...[...verdicts].filter(([id, { seq }]) => receiptOf.get(id)?.n !== 1 || receiptOf.get(id)?.seq !== seq).map(([id]) => `change ${id}`),
    ...[...held.values()]
      .filter(({ id, city, version }) => leadOf.get(id)?.city !== city || leadOf.get(id)?.version !== version)
      .map((one) => `lead ${JSON.stringify(one)} is ${JSON.stringify(leadOf.get(one.id))}`),
  ])
}
