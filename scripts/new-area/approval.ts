import type { AreaNames } from './names.ts'
import { before } from './places.ts'

/** What a new area has more with `--kind approval`: lines edited as a table, and a state that a second person decides on. */
export const approvalModel = (source: string, { one, model, table, label }: AreaNames): string => `${before(
  before(source, '  createdByUserId', '  status          String    @default("Requested")\n  statusReason    String?\n'),
  '\n  @@id([companyId, id])',
  `\n  lines ${model}Line[]\n`,
)}
/// A line of a ${label.toLowerCase()}.
model ${model}Line {
  companyId String  @db.Uuid
  id        String  @default(uuid(7)) @db.Uuid
  tenantId  String  @db.Uuid
  ${one}Id String @db.Uuid
  position  Int
  text      String
  amount    Decimal @db.Decimal(18, 2)

  ${one} ${model} @relation(fields: [companyId, ${one}Id], references: [companyId, id], onDelete: Cascade, onUpdate: Restrict)

  @@id([companyId, id])
  @@index([companyId, ${one}Id, position])
  @@map("${table}_line")
}
`

export const approvalMigration = (source: string, { one, table }: AreaNames): string => `${before(
  source,
  '  "createdByUserId" uuid,',
  `  "status" text not null default 'Requested',\n  "statusReason" text,\n`,
)}
create table "${table}_line" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "${one}Id" uuid not null,
  "position" integer not null,
  "text" text not null,
  "amount" numeric(18, 2) not null,
  constraint "${table}_line_pkey" primary key ("companyId", "id"),
  constraint "${table}_line_companyId_${one}Id_fkey" foreign key ("companyId", "${one}Id") references "${table}"("companyId", "id") on delete cascade on update restrict
);
create index "${table}_line_companyId_${one}Id_position_idx" on "${table}_line"("companyId", "${one}Id", "position");
call ctx.protect('${table}_line', 'tenant');
`

/** The resource of its lines, the field that holds them, and the workflow. */
export const approvalResource = (source: string, { one, model, name, label, to }: AreaNames): string =>
  [
    [`import { prepare${model} }`, `import { may } from '../../kernel/area.ts'\n`],
    [
      `\n/** ${label}: say here`,
      `
/** A line of a ${label.toLowerCase()}. */
export const ${one}Line = defineResource({
  model: '${one}Line', one: '${one}Line', many: '${one}Lines', label: 'Line', labelMany: 'Lines', title: 'text', isScoped: true,
  fields: {
    text: { kind: 'text', label: 'What', required: true, maxLength: 120 },
    amount: { kind: 'money', label: 'Amount', currency: 'company', required: true, min: 0 },
  },
  list: { columns: ['text', 'amount'], sort: ['text', 'ASC'], size: 100 },
})
`,
    ],
    [
      '  fields: {\n    name:',
      `  workflow: {
    field: 'status', route: '${name}.move', many: '${name}.moveMany', kept: { reason: 'statusReason' },
    states: { Requested: { meaning: 'open', colour: 'blue' }, Approved: { meaning: 'done', colour: 'green' }, Rejected: { meaning: 'cancelled', colour: 'red' } },
    moves: [
      { name: 'approve', label: 'Approve', from: ['Requested'], to: 'Approved', access: may('${to('EDIT')}'), fourEyes: true },
      { name: 'reject', label: 'Reject', from: ['Requested'], to: 'Rejected', access: may('${to('EDIT')}'), danger: true, ask: { reason: { kind: 'longText', label: 'Reason', required: true, maxLength: 500 } } },
    ],
  },
`,
    ],
    [
      '    createdByUserId: {',
      `    lines: { kind: 'lines', label: 'Lines', of: ${one}Line, by: '${one}Id', min: 1, max: 100 },
    status: { kind: 'choice', label: 'Status', readOnly: true },
    statusReason: { kind: 'text', label: 'Reason', readOnly: true },
`,
    ],
  ]
    .reduce((text, [place = '', line = '']) => before(text, place, line), source)
    .replace("columns: ['name',", "columns: ['name', 'status',")
    .replace("filters: ['created", "filters: ['status', 'created")
    .replace("form: [['name'], ['note']]", "form: [['name'], ['lines'], ['note']]")

export const approvalArea = (source: string, { area, one, name, permission }: AreaNames): string =>
  before(
    before(
      source
        .replace(`import { ${one} }`, `import { ${one}, ${one}Line }`)
        .replace(`resources: [${one}]`, `resources: [${one}, ${one}Line]`)
        .replace("['note']]", "['status', 'statusReason'], ['note'], ['lines']]"),
      `import { ${one}, `,
      `import { move, moveMany } from '../../kernel/workflow/operations.ts'\n`,
    ),
    `    route('${name}.update'`,
    `    route('${name}.move', 'POST', '/api/${area}/:id/move', may('${permission}'), move(${one}), own),
    route('${name}.moveMany', 'POST', '/api/${area}/move', may('${permission}'), moveMany(${one}), own),
`,
  )

/** The area's test with what is true of lines and of a second person's decision. */
export const approvalTest = (source: string, { area, one, label }: AreaNames): string =>
  before(
    source.replace(`{ name: 'First' }`, `{ name: 'First', lines: [{ text: 'One', amount: '10.50' }, { text: 'Two', amount: '4.00' }] }`),
    `  it('has a rule of its own`,
    `  it('keeps its lines in their order; a wrong one is named by its place', async () => {
    interface Record { ${one}: { lines: { Id: string; text: string; amount: string }[] } }
    const id = await make()
    const read = async () => (await world.as.admin.get<Record>(\`/api/${area}/\${id}\`)).body.data.${one}.lines
    const [first, second] = await read()
    expect((await world.as.admin.put(\`/api/${area}/\${id}\`, { lines: [second, { ...first, amount: '11.00' }] })).status).toBe(200)
    expect((await read()).map(({ Id, text, amount }) => [Id, text, Number(amount)])).toEqual([[second?.Id, 'Two', 4], [first?.Id, 'One', 11]])
    expect(fieldsOf(await world.as.admin.post('/api/${area}', { ...good, lines: [{ text: 'One', amount: '-1' }] }))).toEqual(['lines.0.amount'])
    expect(fieldsOf(await world.as.admin.post('/api/${area}', { ...good, lines: [] }))).toEqual(['lines'])
  })

  it('is approved by a second person who sees it, once; whoever made it and other branches do not', async () => {
    const id = await make()
    const approve = (by: SignedInClient) => by.post(\`/api/${area}/\${id}/move\`, { move: 'approve' })
    const own = await approve(world.as.admin)
    expect([own.status, own.body.message]).toEqual([403, 'Another person has to decide: you made this ${label.toLowerCase()}.'])
    // Made at the head of the company: somebody of a branch does not see it, so there is nothing to approve.
    expect((await approve(await colleague(world.branch))).status).toBe(404)
    expect((await approve(world.as.foreign)).status).toBe(404)
    const second = await colleague(world.company)
    expect((await Promise.all([approve(second), approve(second), approve(second)])).map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  })

  it('is rejected with a reason', async () => {
    const id = await make()
    const second = await colleague(world.company)
    expect(fieldsOf(await second.post(\`/api/${area}/\${id}/move\`, { move: 'reject' }))).toEqual(['reason'])
    expect((await second.post(\`/api/${area}/\${id}/move\`, { move: 'reject', reason: 'Not this month' })).body).toMatchObject({ data: { ${one}: { status: 'Rejected', statusReason: 'Not this month' } } })
  })

`,
  )
    .replace(
      `import { fieldsOf,`,
      `import type { SignedInClient } from '../support/app.ts'\nimport type { MadeTenant } from '../support/make.ts'\nimport { fieldsOf,`,
    )
    .replace(
      `\ndescribe(`,
      `/** Another administrator, with the reach of a tenant. */
const colleague = async (tenant: MadeTenant) =>
  world.app.as(await world.app.make.user({ company: world.company, tenant, role: 'admin' }), { tenant })

describe(`,
    )
