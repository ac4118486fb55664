import { commandTypeOf } from '@outpost/contract/geo/commands'
import { t } from '../../../session/labels.ts'

/** A command in words, by its name. */
export const commandWords = (type: string): string => t(commandTypeOf(type)?.label ?? type)

interface StateWord {
  label: string
  tone: 'good' | 'bad' | 'warn' | 'info' | 'quiet'
  /** Something still happens to it by itself. */
  isOpen?: boolean
}

/** A command's way in words that a dispatcher understands. */
export const states: Readonly<Record<string, StateWord>> = {
  asked: { label: 'Waits for a second person', tone: 'warn', isOpen: true },
  queued: { label: 'Waits for the device', tone: 'info', isOpen: true },
  sent: { label: 'Sent', tone: 'info', isOpen: true },
  acked: { label: 'Received by the device', tone: 'info', isOpen: true },
  done: { label: 'Done', tone: 'good' },
  failed: { label: 'Refused by the device', tone: 'bad' },
  expired: { label: 'Expired: the device did not call in time', tone: 'quiet' },
  cancelled: { label: 'Cancelled', tone: 'quiet' },
}
export const stateWord = (state: string): StateWord =>
  Object.hasOwn(states, state) ? (states[state] ?? { label: state, tone: 'quiet' }) : { label: state, tone: 'quiet' }
