import type { ChangeRecord } from '@outpost/contract/sync/protocol'
import type { Row } from '../data/records.ts'
import { keptKind } from './kinds.ts'
import type { Core } from './store/core.ts'
import type { Step } from './store/database.ts'
import { wireChange } from './store/log.ts'
import type { Attention, Change, Entity } from './store/shapes.ts'

/** The record that takes another one's place; null where nothing does, and the others go without it. */
export interface Successor {
  Id: string
  label: string
}

/** Unsent changes of other records that wait for this one. */
export async function dependants(core: Core, id: string): Promise<Change[]> {
  const rows = await core.db.read((db) => db.getAll('log'))
  return Promise.all(rows.filter(({ deps, entityId }) => deps.includes(id) && entityId !== id).map((row) => core.openChange(row)))
}

/**
 * What it takes to put `to` in the place of `from` in everything on this device that waits for it: changes, refused changes and the
 * records as the screen shows them. The server has seen none of these changes through, for it knows no `from`: that one was refused.
 */
export async function relinkSteps(core: Core, from: string, to: Successor | null): Promise<Step[]> {
  const gen = await core.generation()
  const waiting = await dependants(core, from)
  const refused = (await core.db.read((db) => db.getAll('attention'))).map((row) => core.openAttention(row))
  const held = (await Promise.all(refused)).filter(({ change, entityId }) => change.deps.includes(from) && entityId !== from)
  const owners = new Map([...waiting, ...held].map(({ entityType, entityId }) => [`${entityType}/${entityId}`, { entityType, entityId }]))
  const entities = await Promise.all([...owners.values()].map(({ entityType, entityId }) => core.entity(entityType, entityId, gen)))
  return Promise.all([
    ...waiting.map((change) => changeStep(core, change, from, to)),
    ...held.map((one) => attentionStep(core, one, from, to)),
    ...entities.flatMap((entity) => (entity?.local ? [entityStep(core, gen, entity, from, to)] : [])),
  ])
}

async function changeStep(core: Core, change: Change, from: string, to: Successor | null): Promise<Step> {
  const { attempts, sent, lastError } = change
  const put = await core.sealChange(relinkedChange(wireChange(change), from, to), { attempts, sent, lastError, state: 'pending' })
  return { in: 'log', put }
}

async function attentionStep(core: Core, attention: Attention, from: string, to: Successor | null): Promise<Step> {
  const { entityType, change, mine } = attention
  const put = { ...attention, change: relinkedChange(change, from, to), mine: relinked(entityType, mine, from, to) }
  return { in: 'attention', put: await core.sealAttention(put) }
}

const entityStep = (core: Core, gen: number, entity: Entity, from: string, to: Successor | null): Promise<Step> =>
  core.entityStep(gen, { ...entity, local: entity.local && relinked(entity.type, entity.local, from, to) })

function relinkedChange(change: ChangeRecord, from: string, to: Successor | null): ChangeRecord {
  const { entityType, snapshot, patch, deps } = change
  const links = Object.keys(keptKind(entityType)?.links ?? {})
  const touched = Object.fromEntries(
    Object.entries(patch).map(([field, value]) => [field, links.includes(field) ? relinkedPatch(value, from, to) : value]),
  )
  return {
    ...change,
    patch: touched,
    deps: deps.filter((id) => id !== from),
    ...(snapshot ? { snapshot: relinked(entityType, snapshot, from, to) } : {}),
  }
}

function relinkedPatch(value: ChangeRecord['patch'][string], from: string, to: Successor | null): ChangeRecord['patch'][string] {
  if (Array.isArray(value)) return [relinkedValue(value[0], from, to), relinkedValue(value[1], from, to)]
  return { add: relinkedValue(value.add, from, to) as string[], remove: value.remove.filter((id) => id !== from) }
}

/** The values with every link to the one record leading to the other, and with its name. */
function relinked(type: string, values: Row, from: string, to: Successor | null): Row {
  const fields = Object.keys(keptKind(type)?.links ?? {}).filter((field) => Object.hasOwn(values, field))
  const next = fields.flatMap((field): [string, unknown][] => {
    const named = values[field] === from && Object.hasOwn(values, `${field}Label`)
    return [[field, relinkedValue(values[field], from, to)], ...(named ? [[`${field}Label`, to?.label ?? null] as [string, unknown]] : [])]
  })
  return { ...values, ...Object.fromEntries(next) }
}

function relinkedValue(value: unknown, from: string, to: Successor | null): unknown {
  if (value === from) return to?.Id ?? null
  if (!Array.isArray(value)) return value
  const list = value as unknown[]
  const isThere = to !== null && list.some((one) => idOf(one) === to.Id)
  return list.flatMap((one) => {
    if (idOf(one) !== from) return [one]
    if (!to || isThere) return []
    return [typeof one === 'string' ? to.Id : { ...to }]
  })
}

const idOf = (one: unknown): unknown => (typeof one === 'object' && one !== null && 'Id' in one ? one.Id : one)
