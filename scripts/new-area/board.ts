import type { AreaNames } from './names.ts'
import { before } from './places.ts'

/** What a new area has more with `--kind board`: a status among the company's own rows, kept in the administration, and a board by it. */
export const boardModel = (source: string, { model, table, many, label }: AreaNames): string => `${before(
  before(source, '  createdByUserId', '  statusId        String?   @db.Uuid\n'),
  '\n  @@id([companyId, id])',
  `\n  statusRow ${model}Status? @relation(fields: [companyId, statusId], references: [companyId, id], onDelete: Restrict, onUpdate: Restrict)\n`,
)}
/// How far a ${label.toLowerCase()} is, in the company's own words; the meaning is fixed, so that rules and reports hold whatever the names are.
model ${model}Status {
  companyId    String   @db.Uuid
  id           String   @default(uuid(7)) @db.Uuid
  name         String
  status       Int      @default(1) @db.SmallInt
  default      Boolean  @default(false)
  meaning      String   @default("open")
  colour       String?
  position     Int      @default(0)
  version      BigInt   @default(1)
  dateCreated  DateTime @default(now()) @db.Timestamptz(3)
  dateModified DateTime @default(now()) @db.Timestamptz(3)

  ${many} ${model}[]

  @@id([companyId, id])
  @@unique([companyId, name])
  @@map("${table}_status")
}
`

export const boardMigration = (source: string, { table }: AreaNames): string => `create table "${table}_status" (
  "companyId" uuid not null,
  "id" uuid not null,
  "name" text not null,
  "status" smallint not null default 1,
  "default" boolean not null default false,
  "meaning" text not null default 'open',
  "colour" text,
  "position" integer not null default 0,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  constraint "${table}_status_pkey" primary key ("companyId", "id"),
  constraint "${table}_status_meaning_known" check ("meaning" in ('open', 'started', 'done', 'cancelled'))
);
create unique index "${table}_status_companyId_name_key" on "${table}_status"("companyId", "name");
call ctx.protect('${table}_status', 'company');
${before(
  before(source, '  "createdByUserId" uuid,', `  "statusId" uuid,\n`),
  `\n);\ncreate index`,
  `,\n  constraint "${table}_companyId_statusId_fkey" foreign key ("companyId", "statusId") references "${table}_status"("companyId", "id") on delete restrict on update restrict`,
)}`

/** The statuses: what they are, and what keeps them. */
export const statusSource = ({ one, name, table, label }: AreaNames): string => `import { sql } from '@outpost/platform/db/sql'
import { companyOptionFields, keepOneDefault, meaningField, optionChoices } from '../../kernel/relations/own-options.ts'
import { defineResource } from '../../kernel/resource/define.ts'
import { deleteAction } from '../../kernel/screens/delete-action.ts'

/** How far a ${label.toLowerCase()} is, in the company's own words. */
export const ${one}Status = defineResource({
  model: '${one}Status', one: '${one}Status', many: '${one}Statuses', label: '${label} status', labelMany: '${label} statuses', title: 'name',
  writtenBy: 'company', choices: optionChoices,
  held: {
    find: (ctx, ids) => sql\`select distinct t."statusId" as id from ${table} t where t."companyId" = \${ctx.company.id} and t."statusId" = any(\${ids}::uuid[])\`,
    message: 'This status is in use: make it inactive.',
  },
  fields: { ...companyOptionFields, meaning: meaningField },
  list: { columns: ['name', 'meaning', 'status', 'default', 'colour', 'position'], sort: ['position', 'ASC'], size: 100 },
  form: [['name', 'meaning'], ['status', 'colour'], ['position', 'default']],
  actions: [deleteAction('${name}Statuses.remove', { title: 'Delete this status?', body: 'One that is in use is made inactive instead.' })],
  prepare: async (ctx, write) => {
    await keepOneDefault(ctx, { table: '${table}_status', isShared: true }, write)
    return {}
  },
})
`

/** The field, the workflow by what the statuses mean, and the column of the list. */
export const boardResource = (source: string, { one, model, name }: AreaNames): string =>
  before(
    before(
      before(
        source,
        `import { prepare${model} }`,
        `import { ownStates } from '../../kernel/relations/own-options.ts'\nimport { ${one}Status } from './${one}Status.resource.ts'\n`,
      ),
      '  fields: {\n    name:',
      `  workflow: {
    field: 'statusId', route: '${name}.move', many: '${name}.moveMany', choose: 'Change status',
    states: ownStates(${one}Status, 'is not an active status'),
    moves: (['open', 'started', 'done', 'cancelled'] as const).map((meaning) => ({ name: meaning, from: '*', to: meaning })),
  },
`,
    ),
    '    createdByUserId: {',
    `    statusId: { kind: 'choice', label: 'Status', from: ${one}Status, readOnly: true },\n`,
  )
    .replace("columns: ['name',", "columns: ['name', 'statusId',")
    .replace("filters: ['created", "filters: ['statusId', 'created")

/** A new record begins with the company's default status. */
export const boardRules = (source: string, { one, model }: AreaNames): string =>
  source
    .replace(
      `import type { Ctx, PrepareWrite }`,
      `import { presetOf } from '../../kernel/relations/own-options.ts'\nimport type { Ctx, PrepareWrite }`,
    )
    .replace(`\ntype Row`, `import { ${one}Status } from './${one}Status.resource.ts'\n\ntype Row`)
    .replace(
      `export function prepare${model}(ctx: Ctx, { kind }: PrepareWrite<Row>): Partial<Row> {
  return kind === 'create' ? { createdByUserId: ctx.user.id } : {}`,
      `export async function prepare${model}(ctx: Ctx, { kind, input }: PrepareWrite<Row>): Promise<Partial<Row>> {
  if (kind !== 'create') return {}
  return { createdByUserId: ctx.user.id, statusId: input.statusId ?? (await presetOf(ctx, ${one}Status)) }`,
    )

export const boardArea = (source: string, { area, one, name, label, to }: AreaNames): string =>
  before(
    before(
      before(
        source
          .replace(`resources: [${one}]`, `resources: [${one}, ${one}Status]`)
          .replace(
            "{ exportReport: 'exportList' }",
            `{ exportReport: 'exportList', layouts: [boardOf(${one}, { lines: ['createdByUserId'] })] }`,
          )
          .replace("[['name', 'tenantId']", "[['name', 'statusId'], ['tenantId']"),
        `import { ${one} }`,
        `import { optionRoutes, optionScreens } from '../../kernel/relations/own-options.ts'
import { boardOf } from '../../kernel/workflow/describe.ts'
import { move, moveMany } from '../../kernel/workflow/operations.ts'
import { ${one}Status } from './${one}Status.resource.ts'
`,
      ),
      `    route('${name}.update'`,
      `    route('${name}.move', 'POST', '/api/${area}/:id/move', may('${to('EDIT')}'), move(${one}), own),
    route('${name}.moveMany', 'POST', '/api/${area}/move', may('${to('EDIT')}'), moveMany(${one}), own),
    ...optionRoutes(${one}Status, { name: '${name}Statuses', path: '/api/${area}/statuses/manage', access: may('ADMIN/SETTINGS') }),
`,
    ),
    `    screen('/${area}/add'`,
    `    ...optionScreens(${one}Status, { path: '/admin/${area}-statuses', access: may('ADMIN/SETTINGS'), menu: { under: 'administration', label: '${label} statuses', icon: 'check', order: 19 } }),\n`,
  )

/** The area's test with what is true of statuses and of the board. */
export const boardTest = (source: string, { area, one }: AreaNames): string =>
  before(
    source,
    `  it('has a rule of its own`,
    `  it('goes from status to status, in the company’s own words, and the board has a column for each', async () => {
    const add = async (name: string, more: object) =>
      (await world.as.admin.post<{ ${one}Status: { Id: string } }>('/api/${area}/statuses/manage', { name, ...more })).body.data.${one}Status.Id
    const [first, second] = [await add('To do', { meaning: 'open', default: true, position: 1 }), await add('Ready', { meaning: 'done', position: 2 })]
    const id = await make()
    const read = async () => (await world.as.admin.get<{ ${one}: { statusId: string } }>(\`/api/${area}/\${id}\`)).body.data.${one}.statusId
    expect(await read()).toBe(first)
    expect((await world.as.admin.post(\`/api/${area}/\${id}/move\`, { statusId: second })).status).toBe(200)
    expect(await read()).toBe(second)
    const screens = await world.as.admin.get<{ view: { layouts: { columns: { value: string }[] }[] } }>('/api/console/screens/${area}')
    expect(screens.body.data.view.layouts[0]?.columns.map(({ value }) => value)).toEqual([first, second])
    // One in use is kept; an inactive one is left and not entered.
    expect((await world.as.admin.post('/api/${area}/statuses/manage/delete', { id: second })).body).toMatchObject({ code: 'STILL_IN_USE' })
    await world.as.admin.put(\`/api/${area}/statuses/manage/\${first}\`, { default: false, status: 0 })
    expect(fieldsOf(await world.as.admin.post(\`/api/${area}/\${id}/move\`, { statusId: first }))).toEqual(['statusId'])
    expect((await world.as.foreign.get<{ ${one}Statuses: unknown[] }>('/api/${area}/statuses/manage')).body.data.${one}Statuses).toEqual([])
  })

`,
  )
