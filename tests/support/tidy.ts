import { trace } from '@opentelemetry/api'
import { afterAll, expect } from 'vitest'

/** Files of a worker share its process. What tests replace there and leave behind would be met by another file in some runs, in others not. */
const replaced = [
  'Date',
  'WebSocket',
  'addEventListener',
  'clearTimeout',
  'crypto',
  'document',
  'fetch',
  'location',
  'navigator',
  'performance',
  'queueMicrotask',
  'removeEventListener',
  'setImmediate',
  'setInterval',
  'setTimeout',
  'window',
] as const
/** To read these begins a storage, with a warning. */
const unread = ['localStorage', 'sessionStorage'] as const

const before = takeState()
afterAll(() => {
  const after = takeState()
  // Names alone: a variable may hold a secret.
  const left = [...new Set([...before.keys(), ...after.keys()])].filter((name) => !Object.is(before.get(name), after.get(name)))
  expect(left, 'what this file left behind in its worker').toEqual([])
})

function takeState(): Map<string, unknown> {
  const variables = Object.entries(process.env).map(([name, value]): [string, unknown] => [`process.env.${name}`, value])
  const values = replaced.map((name): [string, unknown] => [name, (globalThis as Record<string, unknown>)[name]])
  const storages = unread.map((name): [string, unknown] => [name, Object.getOwnPropertyDescriptor(globalThis, name)?.value])
  const isTraced = trace.getTracer('tidy').startSpan('tidy').isRecording()
  return new Map([...variables, ...values, ...storages, ['OpenTelemetry', isTraced]])
}
