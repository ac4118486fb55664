import { before } from './places.ts'
import type { AreaNames } from './names.ts'

/** What a new area has more with `--kind public`: links to its records for people outside, and the page that they open. */
export const linkModelSource = ({ model, one, table, label }: AreaNames) => `
/// A link to a ${label.toLowerCase()} for somebody outside. Of its secret only the hash is stored.
model ${model}Link {
  companyId       String    @db.Uuid
  id              String    @default(uuid(7)) @db.Uuid
  tenantId        String    @db.Uuid
  ${one}Id String    @db.Uuid
  tokenHash       Bytes
  expiresAt       DateTime  @db.Timestamptz(3)
  answeredAt      DateTime? @db.Timestamptz(3)
  answer          String?
  createdByUserId String    @db.Uuid
  dateCreated     DateTime  @default(now()) @db.Timestamptz(3)

  @@id([companyId, id])
  @@unique([companyId, tokenHash])
  @@index([companyId, ${one}Id])
  @@map("${table}_link")
}
`

export const linkMigrationSource = ({ table, one }: AreaNames) => `
create table "${table}_link" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "${one}Id" uuid not null,
  "tokenHash" bytea not null,
  "expiresAt" timestamptz(3) not null,
  "answeredAt" timestamptz(3),
  "answer" text,
  "createdByUserId" uuid not null,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  constraint "${table}_link_pkey" primary key ("companyId", "id")
);
create unique index "${table}_link_companyId_tokenHash_key" on "${table}_link"("companyId", "tokenHash");
create index "${table}_link_companyId_${one}Id_idx" on "${table}_link"("companyId", "${one}Id");
call ctx.protect('${table}_link', 'tenant');
`

/** How a link is made, and its page. */
export const pageSource = ({ area, one, name, table, label }: AreaNames) => `import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { audit } from '../../kernel/audit.ts'
import { makeLinkToken, type LinkTable } from '../../kernel/public/link.ts'
import { publicPage } from '../../kernel/public/page.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import { hashSecret } from '../../kernel/session/tokens/opaque.ts'
import { session } from '../../kernel/session/services.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { ${one} } from './${one}.resource.ts'

const link: LinkTable = { table: '${table}_link', hash: 'tokenHash', expires: 'expiresAt', used: 'answeredAt' }

export const linkAnswer = z.strictObject({ address: z.string() })

/** Makes a link to a ${label.toLowerCase()} that counts once, for seven days. Its secret is in the address, which is shown this once. */
export async function makeLink(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, ${one}, id)
  const token = makeLinkToken(ctx.company.id)
  await ctx.sql.exec(sql\`
    insert into ${table}_link ("companyId", "id", "tenantId", "${one}Id", "tokenHash", "expiresAt", "createdByUserId")
    select r."companyId", uuidv7(), r."tenantId", r."id", \${hashSecret(token)}, now() + interval '7 days', \${ctx.user.id}::uuid
    from ${table} r where r."companyId" = \${ctx.company.id}::uuid and r."id" = \${id}::uuid\`)
  audit(ctx, { action: '${one}.link', objectType: '${one}', objectId: id })
  return { data: { address: new URL(\`/${area}-page/\${token}\`, session().publicUrl).href }, message: 'Link made' }
}

/** The page of a link: what somebody outside sees of the ${label.toLowerCase()}, and what they answer. */
export const ${name}Page = publicPage('${name}.page', '/${area}-page/:token', {
  link,
  why: 'whoever holds the link sees one ${label.toLowerCase()}, and answers once',
  show: async ({ ctx, id, state }) => {
    if (state !== 'open') return undefined
    const { name } = await ctx.sql.one<{ name: string }>(sql\`
      select r."name" from ${table}_link l join ${table} r on r."companyId" = l."companyId" and r."id" = l."${one}Id"
      where l."companyId" = \${ctx.company.id}::uuid and l."id" = \${id}::uuid\`)
    return {
      title: name,
      form: {
        fields: { answer: { kind: 'longText', label: 'Your answer', required: true, maxLength: 1_000 } },
        buttons: [{ label: 'Send', isMain: true }],
      },
    }
  },
  input: z.strictObject({ answer: z.string().trim().min(1, 'is required').max(1_000) }),
  submit: async (ctx, id, { answer }) => {
    await ctx.sql.exec(sql\`
      update ${table}_link set "answer" = \${answer} where "companyId" = \${ctx.company.id}::uuid and "id" = \${id}::uuid\`)
    return { title: 'Thank you', paragraphs: [\`\${ctx.company.name} has your answer.\`] }
  },
})
`

/** The resource with its links, and the action that makes one. */
export const withLinks = (source: string, { one, name, table, label }: AreaNames): string =>
  before(
    before(source, '  fields: {\n', `  belongings: [{ table: '${table}_link', own: '${one}Id' }],\n`),
    `    bulkDeleteAction('${name}.remove'`,
    `    { route: '${name}.makeLink', label: 'Make a link', scope: 'row', reveals: { value: 'address', title: 'The link', body: 'Send it to whom this ${label.toLowerCase()} concerns. It is not shown again, and counts once.' } },\n`,
  )

/** The area with the call that makes links, and the page. */
export const withPage = (source: string, { area, one, name, to }: AreaNames): string =>
  [
    [`import { ${one} } from './${one}.resource.ts'\n`, `import { linkAnswer, makeLink, ${name}Page } from './${one}.page.ts'\n`],
    [`import { detailOf,`, `import { idInput } from '../../kernel/resource/schema.ts'\n`],
    [
      `    route('${name}.remove'`,
      `    route('${name}.makeLink', 'POST', '/api/${area}/:id/link', may('${to('EDIT')}'), command(idInput, makeLink, linkAnswer), own),\n`,
    ],
    [`  ],\n  screens: [`, `    ...${name}Page,\n`],
  ].reduce((text, [place = '', line = '']) => before(text, place, line), source.replace('import { create,', 'import { command, create,'))

/** The area's test with what is true of every such page. */
export const withPageTest = (source: string, { area, label }: AreaNames): string =>
  before(
    source,
    `  it('has a rule of its own`,
    `  it('is seen by who has its link and answered once; opening it changes nothing, and its secret is nowhere stored', async () => {
    const id = await make()
    const made = await world.as.admin.post<{ address: string }>(\`/api/${area}/\${id}/link\`, {})
    expect((await world.as.foreign.post(\`/api/${area}/\${id}/link\`, {})).status).toBe(404)
    const path = new URL(made.body.data.address).pathname
    const visitor = world.app.nobody
    for (const turn of [1, 2]) expect((await visitor.get(path)).text, \`${label} \${turn}\`).toContain('First')
    expect((await visitor.get(\`\${path.slice(0, -4)}AAAA\`)).status).toBe(404)
    const send = (answer: string) => visitor.upload(path, { answer }, {}, [])
    expect((await send('')).text).toContain('is required')
    const answers = await Promise.all(['One', 'Two', 'Three'].map(send))
    expect(answers.filter(({ text }) => text.includes('Thank you'))).toHaveLength(1)
    expect((await visitor.get(path)).text).toContain('used already')
  })

`,
  )
