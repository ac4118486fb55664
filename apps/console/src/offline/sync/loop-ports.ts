import type { ChangeRecord, PullAnswer, PushAnswer } from '@outpost/contract/sync/protocol'
import type { SyncOutcome } from '@outpost/rules/sync/sync-timing'
import type { BatchLimits, LogSummary } from '../store/log.ts'
import type { PullPoint } from '../store/pages.ts'
import type { Applied } from './verdicts.ts'

/** A whole request that failed. 0 is no answer at all. */
export interface Refusal {
  status: number
  message: string
  retryAfterMs?: number
}

/** The loop's hands: everything outside it (clock, network, store, tabs) comes in here. */
export interface LoopPorts {
  /** Calls back once; returns the way to cancel. */
  setTimer(run: () => void, ms: number): () => void
  now(): number
  isOnline(): Promise<boolean>
  push(changes: ChangeRecord[], summary: LogSummary): Promise<PushAnswer>
  pull(cursor: string | null): Promise<PullAnswer>
  /** Reads a thrown error as a refusal; null when it is none (a fault of ours). */
  refusalOf(error: unknown): Refusal | null
  /** Whether the device has room for more copies of records; what a person makes on it is written as long as it can be. */
  hasRoom(): Promise<boolean>
  store: {
    takeBatch(limits: BatchLimits): Promise<ChangeRecord[]>
    applyVerdicts(results: PushAnswer['results'], sent: readonly ChangeRecord[]): Promise<Applied>
    setAside(changeId: string, code: string, message: string): Promise<void>
    summary(): Promise<LogSummary>
    pullPoint(): Promise<PullPoint>
    beginFullPull(): Promise<void>
    applyPage(answer: PullAnswer, point: PullPoint): Promise<void>
  }
  /** Sends the files whose changes were taken; gives how many could not be sent and come again. */
  sendFiles(): Promise<number>
  /** Runs alone among tabs; false when another tab is at it. */
  alone(run: () => Promise<void>): Promise<boolean>
  report(progress: Progress): void
}

export interface Progress {
  isRunning: boolean
  outcome?: SyncOutcome
  needsSignIn?: boolean
  isElsewhere?: boolean
  message?: string
  at: number
  nextAt?: number
}
