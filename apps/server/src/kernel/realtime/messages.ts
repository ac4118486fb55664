import { clientMessages, type ClientMessageName } from '@outpost/contract/events'
import type { Access } from '@outpost/contract/permissions'
import type { z } from 'zod'
import type { Ctx } from '../types/ctx.ts'
import type { Connection } from './connection.ts'

type InputOf<Name extends ClientMessageName> = z.output<(typeof clientMessages)[Name]>

/** What a message may change of the socket it came over. */
export type Line = Pick<Connection, 'follows' | 'view' | 'send'>

/** What the server does with one message of a client's socket; made by message(). */
export interface MessageDefinition {
  name: ClientMessageName
  access: Access
  run(ctx: Ctx, input: unknown, line: Line): Promise<void>
}

/** What the server does with one message of a client; its shape is checked by the contract before it runs. */
export function message<Name extends ClientMessageName>(
  name: Name,
  access: Access,
  run: (ctx: Ctx, input: InputOf<Name>, line: Line) => Promise<void>,
): MessageDefinition {
  return { name, access, run: (ctx, input, line) => run(ctx, input as InputOf<Name>, line) }
}

export type ParsedMessage =
  | { kind: 'message'; name: ClientMessageName; input: unknown }
  /** Known by name, wrong in shape: answered with an error, the socket stays open. */
  | { kind: 'invalid'; text: string }
  /** Nothing a client of ours would send. */
  | { kind: 'foreign' }

/** Reads a text frame: JSON of the form {event, data}. */
export function parseMessage(text: string): ParsedMessage {
  const frame = readFrame(text)
  if (!frame || !isClientMessage(frame.event)) return { kind: 'foreign' }
  const parsed = clientMessages[frame.event].safeParse(frame.data ?? {})
  if (parsed.success) return { kind: 'message', name: frame.event, input: parsed.data }
  return { kind: 'invalid', text: parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ') }
}

function readFrame(text: string): { event: unknown; data?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && 'event' in value ? value : undefined
  } catch {
    return undefined
  }
}

function isClientMessage(name: unknown): name is ClientMessageName {
  return typeof name === 'string' && Object.hasOwn(clientMessages, name)
}
