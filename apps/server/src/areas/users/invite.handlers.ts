import { fail } from '@outpost/contract/errors'
import type { z } from 'zod'
import { audit } from '../../kernel/audit.ts'
import { announce } from '../../kernel/realtime/announce.ts'
import { session } from '../../kernel/session/services.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { endInvitations, requestAuthMail } from '../auth/index.ts'
import { markInvitations, waitingFor } from './invitations.ts'
import { heldRightsInSight, type manyInput } from './user.handlers.ts'
import { user } from './user.resource.ts'
import { refuseHigher } from './user.rules.ts'

type Many = z.infer<typeof manyInput>

/** Sends users who have not chosen a password yet a new link; the one before it stops working. All or none. */
export async function inviteUsers(ctx: Ctx, input: Many): Promise<Answer> {
  const ids = await invitable(ctx, input)
  await markInvitations(ctx, ids, 'sent')
  for (const userId of ids) await requestAuthMail(ctx.sql, { companyId: ctx.company.id, userId, kind: 'invite' })
  return changed(ctx, ids, { action: 'user.invite', message: ids.length === 1 ? 'Invitation sent' : `${ids.length} invitations sent` })
}

/** Takes invitations back: links that are on their way or in mailboxes lead nowhere, and no forgotten password does either. */
export async function revokeInvitations(ctx: Ctx, input: Many): Promise<Answer> {
  const ids = await invitable(ctx, input)
  await markInvitations(ctx, ids, 'revoked')
  const companyId = ctx.company.id
  ctx.afterCommit(() => session().store.write(companyId, (db) => endInvitations(db, companyId, ids)))
  return changed(ctx, ids, {
    action: 'user.revokeInvitation',
    message: ids.length === 1 ? 'Invitation revoked' : `${ids.length} invitations revoked`,
  })
}

async function invitable(ctx: Ctx, { userIds }: Many): Promise<string[]> {
  const ids = [...new Set(userIds.map((id) => id.toLowerCase()))]
  refuseHigher(ctx, await heldRightsInSight(ctx, ids))
  const waiting = await waitingFor(ctx, ids)
  if (waiting.length < ids.length) fail('CONFLICT', { message: 'Somebody among them has a password already, or is deactivated.' })
  return waiting
}

function changed(ctx: Ctx, ids: string[], { action, message }: { action: string; message: string }): Answer {
  for (const objectId of ids) audit(ctx, { action, objectType: 'user', objectId })
  announce(ctx, user, ids, 'updated')
  return { data: { userIds: ids }, message }
}
