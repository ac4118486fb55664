import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  companyOptionFields,
  keepOneDefault,
  meaningField,
  optionChoices,
  ownStates,
  presetOf,
} from '../../apps/server/src/kernel/relations/own-options.ts'
import { defineResource } from '../../apps/server/src/kernel/resource/define.ts'
import type { Ctx } from '../../apps/server/src/kernel/types.ts'
import { ctxOf, makeWorld, type World } from './world.ts'

const stage = defineResource({
  model: 'activityStatus',
  one: 'stage',
  many: 'stages',
  label: 'Stage',
  labelMany: 'Stages',
  title: 'name',
  writtenBy: 'company',
  choices: optionChoices,
  fields: { ...companyOptionFields, meaning: meaningField },
  list: { columns: ['name', 'meaning'], sort: ['position', 'ASC'], size: 100 },
})
const states = ownStates(stage, 'is not an active stage')

let world: World
let ctx: Ctx
const add = async (company: World['a'], name: string, { tenantId = company.id, ...more }: Record<string, unknown> = {}) => {
  const row = { companyId: company.id, id: randomUUID(), tenantId, name, status: 1, default: false, meaning: 'open', position: 1, ...more }
  const columns = Object.keys(row)
  await world.database.admin.query(
    `insert into activity_status (${columns.map((key) => `"${key}"`).join()}) values (${columns.map((_, at) => `$${at + 1}`).join()})`,
    Object.values(row),
  )
  return row.id
}

beforeAll(async () => {
  world = await makeWorld()
  ctx = ctxOf(world, world.a, { tenant: world.a.branch })
})
afterAll(() => world.close())

it('are states of a workflow: inactive ones are left and not entered, another tenant’s are no columns, another company’s are none', async () => {
  const ready = await add(world.a, 'Ready', { meaning: 'done', position: 2, colour: 'green' })
  const todo = await add(world.a, 'To do', { position: 1 })
  const gone = await add(world.a, 'Gone', { status: 0, position: 3 })
  const other = await add(world.a, 'Elsewhere', { tenantId: world.a.other.id, position: 4 })
  await add(world.b, 'Foreign')
  expect(await states.read(ctx, {})).toEqual([
    { id: todo, name: 'To do', meaning: 'open', isRetired: false },
    { id: ready, name: 'Ready', meaning: 'done', isRetired: false },
    { id: gone, name: 'Gone', meaning: 'open', isRetired: true },
    { id: other, name: 'Elsewhere', meaning: 'open', isRetired: false },
  ])
  expect(await states.columns?.(ctx)).toEqual([
    { value: todo, label: 'To do', colour: 'default' },
    { value: ready, label: 'Ready', colour: 'green' },
  ])
})

it('begin with the default that is on offer, else with the first', async () => {
  const first = (await states.columns?.(ctx))?.[0]?.value
  expect(await presetOf(ctx, stage)).toBe(first)
  const preset = await add(world.a, 'Usual', { default: true, position: 9 })
  expect(await presetOf(ctx, stage)).toBe(preset)
})

it('have one default, which is an active one', async () => {
  const id = await add(world.a, 'Next')
  const write = { kind: 'create', input: { default: true }, isSync: false, id } as const
  await ctx.transaction((inner) => keepOneDefault(inner, { table: 'activity_status', isShared: true }, write))
  const { rows } = await world.database.admin.query('select "name" from activity_status where "companyId" = $1 and "default"', [world.a.id])
  expect(rows).toEqual([])
  await expect(keepOneDefault(ctx, { table: 'activity_status' }, { ...write, input: { default: true, status: 0 } })).rejects.toMatchObject({
    failure: 'INVALID',
  })
})
