import { commandInputs, commandNames, commandTypeOf, knowsCommand, shortestReason } from '@outpost/contract/geo/commands'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Form, Input, Select } from 'antd'
import { useState } from 'react'
import { call } from '../../../data/calls.ts'
import { t } from '../../../session/labels.ts'
import { DeviceChoice } from '../DeviceChoice.tsx'
import { errorText } from '../error-text.ts'
import { useSavedCommands, type DeviceOption } from './options.ts'
import { emptyParameters, isWholeCommand, Parameters, parametersOf, type ParameterDraft } from './Parameters.tsx'
import { SentCommands } from './SentCommands.tsx'
import { commandWords, stateWord } from './words.ts'
import '../fleet.css'

interface Draft extends ParameterDraft {
  devices: DeviceOption[]
  /** A type, or the Id of a saved command. */
  commandType: string
  reason: string
}
const empty: Draft = { ...emptyParameters, devices: [], commandType: 'positionSingle', reason: '' }
const mostDevices = 500

interface Verdict {
  Id: string
  isDone: boolean
  state?: string
  message?: string
}

/** One command to many devices, with a verdict on each, above all that was sent and what became of it. */
export function SendCommands() {
  const client = useQueryClient()
  const [draft, setDraft] = useState(empty)
  const send = useMutation({
    mutationFn: async (given: Draft) => {
      const answer = await call('devices.sendMany', { body: bodyOf(given) })
      return { devices: given.devices, results: answer.data.results }
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['records', 'sent-commands'] }),
  })
  return (
    <>
      <header className="view-header">
        <div className="view-header-title">
          <h1 tabIndex={-1}>{t('Send commands')}</h1>
        </div>
      </header>
      <div className="fleet-editor">
        <SendForm draft={draft} setDraft={setDraft} isSending={send.isPending} onSend={() => send.mutate(draft)} error={send.error} />
        <div className="fleet-stack">
          {send.data ? <Verdicts {...send.data} /> : null}
          <SentCommands />
        </div>
      </div>
    </>
  )
}

const bodyOf = ({ devices, commandType, reason, ...parameters }: Draft) => ({
  ids: devices.map(({ value }) => value),
  commandType,
  ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
  ...parametersOf(commandType, parameters),
})

interface SendFormProps {
  draft: Draft
  setDraft: (draft: Draft) => void
  isSending: boolean
  error: unknown
  onSend: () => void
}

function SendForm({ draft, setDraft, isSending, error, onSend }: SendFormProps) {
  const saved = useSavedCommands()
  const change = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes })
  const chosen = saved.find(({ value }) => value === draft.commandType)
  const sentType = chosen?.commandType ?? draft.commandType
  const type = commandTypeOf(sentType)
  const deaf = draft.devices.filter(({ protocol }) => knowsCommand(protocol, sentType) === false).map(({ label }) => label)
  const needsReason = type?.mayStop === true || type?.isUnknown === true
  const isReady =
    draft.devices.length > 0 &&
    draft.devices.length <= mostDevices &&
    (!needsReason || draft.reason.trim().length >= shortestReason) &&
    (chosen !== undefined || isWholeCommand(draft.commandType, draft))
  return (
    <Form noValidate layout="vertical" onFinish={onSend}>
      <DeviceChoice id="send-devices" label={t('Devices')} required value={draft.devices} onChange={(devices) => change({ devices })} />
      <Form.Item
        label={t('Command')}
        htmlFor="send-command"
        required
        {...(deaf.length > 0
          ? { validateStatus: 'warning', help: t('These have no such command: {{names}}', { names: deaf.join(', ') }) }
          : {})}
      >
        <Select
          id="send-command"
          showSearch={{ optionFilterProp: 'label' }}
          value={draft.commandType}
          onChange={(commandType: string) => change({ commandType })}
          options={[
            ...(saved.length > 0 ? [{ label: t('Kept'), options: saved }] : []),
            { label: t('Commands'), options: commandNames.map((value) => ({ value, label: commandWords(value) })) },
          ]}
        />
      </Form.Item>
      {chosen === undefined ? <Parameters id="send" commandType={draft.commandType} draft={draft} change={change} /> : null}
      <Form.Item
        label={t(commandInputs.reason.label)}
        htmlFor="send-reason"
        required={needsReason}
        extra={needsReason ? t('A second person approves it, and what stops an engine leaves only while the vehicle stands.') : undefined}
      >
        <Input
          id="send-reason"
          maxLength={commandInputs.reason.maxLength}
          value={draft.reason}
          onChange={(event) => change({ reason: event.target.value })}
        />
      </Form.Item>
      {error ? <Alert type="error" showIcon title={errorText(error)} /> : null}
      <Button type="primary" htmlType="submit" danger={needsReason} disabled={!isReady} loading={isSending}>
        {t('Send to {{count}} devices', { count: draft.devices.length })}
      </Button>
    </Form>
  )
}

function Verdicts({ devices, results }: { devices: readonly DeviceOption[]; results: readonly Verdict[] }) {
  const names = new Map(devices.map(({ value, label }) => [value, label]))
  const refused = results.filter(({ isDone }) => !isDone).length
  // Refused ones first: somebody has to look at them.
  const rows = results.toSorted((a, b) => Number(a.isDone) - Number(b.isDone))
  return (
    <section className="fleet-box" aria-label={t('Verdicts')}>
      <h2>{t('What became of it')}</h2>
      <p role="status">
        {t('{{count}} accepted', { count: results.length - refused })}, {t('{{count}} refused', { count: refused })}
      </p>
      <ul className="fleet-rows fleet-scroll" tabIndex={0} aria-label={t('Verdict on each device')}>
        {rows.map(({ Id, isDone, state, message }) => (
          <li key={Id} data-tone={isDone ? stateWord(state ?? '').tone : 'bad'}>
            <span>
              <strong>{names.get(Id) ?? Id}</strong>
            </span>
            {isDone ? t(stateWord(state ?? '').label) : t(message ?? '')}
          </li>
        ))}
      </ul>
    </section>
  )
}
