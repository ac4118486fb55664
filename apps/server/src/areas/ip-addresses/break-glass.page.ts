import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { wordingFor } from '../../kernel/settings/wording.ts'
import { audit } from '../../kernel/audit.ts'
import type { LinkTable } from '../../kernel/public/link.ts'
import { publicPage } from '../../kernel/public/page.ts'
import { later } from '../../kernel/session/clock.ts'
import { session } from '../../kernel/session/services.ts'
import { askedOf } from './break-glass.job.ts'
import { letInSeconds } from './break-glass.ts'

const link: LinkTable = { table: 'break_glass', hash: 'tokenHash', expires: 'expiresAt', used: 'usedAt' }

/** The page of the mail to the group's global administrators: who is locked out, and a button that lets them in for an hour. */
export const letInPage = publicPage('ipAddresses.letInPage', '/let-in/:token', {
  link,
  why: 'a global administrator who got the mail lets a locked out administrator in, once',
  show: async ({ ctx, id, state }) => {
    const asked = state === 'open' ? await askedOf(ctx, id) : undefined
    return (
      asked && {
        title: 'Let an administrator in',
        paragraphs: ['The company’s list of addresses refuses them. Make sure by telephone that it is them before you let them in.'],
        facts: { Who: asked.name ?? '', Address: asked.ip, Since: (await wordingFor(ctx.company)).moment(asked.dateCreated) },
        form: { buttons: [{ label: 'Let in for one hour', isMain: true }] },
      }
    )
  },
  input: z.object({}),
  submit: async (ctx, id, _, { ip }) => {
    const asked = (await askedOf(ctx, id)) ?? fail('TOKEN_INVALID')
    await ctx.sql.exec(sql`
      update break_glass set "allowedUntil" = ${later(session().clock, letInSeconds.stay)} where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid`)
    audit(ctx, { action: 'ipAddress.breakGlass', objectType: 'user', objectId: asked.userId, after: { ip: asked.ip, letInFrom: ip } })
    ctx.afterCommit(() => session().changed({ companyId: ctx.company.id, userId: asked.userId }))
    return {
      title: 'They may work from there now',
      paragraphs: [
        `${asked.name ?? 'The administrator'} may sign in from ${asked.ip} for one hour. Tell them to mend the list of addresses.`,
      ],
    }
  },
})
