import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Alert, Button, Checkbox, Form, Input, InputNumber, Select, Switch } from 'antd'
import { alarms, eventTypes } from '@outpost/contract/geo/events'
import { useDeferredValue, useState } from 'react'
import { call } from '../../../data/calls.ts'
import { useFrame } from '../../../data/queries.ts'
import { toast } from '../../../feedback/toast.ts'
import { t } from '../../../session/labels.ts'
import { formatDateTime } from '../../../view/formats.ts'
import type { CustomProps } from '../../props.ts'
import { LoadingState } from '../../../view/states/index.tsx'
import { UnloadedEditor } from '../UnloadedEditor.tsx'
import { errorText } from '../error-text.ts'
import { draftOf, emptyRule, isOfFences, isScheduled, ruleBody, type RuleDraft, type StoredRule } from './rule.ts'
import { Tell } from './Tell.tsx'
import { escalationOf, isWhole, reactionWrites, type StoredReaction, type Telling } from './telling.ts'
import type { Fence } from '../fence/fences.ts'
import '../fleet.css'

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const severities = [
  { value: 'info', label: 'Information' },
  { value: 'warning', label: 'Warning' },
  { value: 'critical', label: 'Critical' },
]

/** A rule in words: when what happens, only where and in which hours, and whom it tells. Beside it, how often it would have rung. */
export function RuleEditor({ params: { id } }: CustomProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['records', 'eventIo', id],
    enabled: id !== undefined,
    queryFn: async ({ signal }) =>
      (await call('eventIos.get', { params: { id: id ?? '' } }, { signal })).data.eventIo as unknown as StoredRule,
  })
  const reactions = useQuery({
    queryKey: ['records', 'eventAction', 'of', id],
    enabled: id !== undefined,
    queryFn: async ({ signal }) =>
      (await call('eventActions.ofRule', { params: { id: id ?? '' } }, { signal })).data.eventActions as unknown as StoredReaction[],
  })
  if (id === undefined) return <Editor reactions={[]} />
  if (data && !error && reactions.data) return <Editor key={data.version} id={id} stored={data} reactions={reactions.data} />
  return (
    <UnloadedEditor
      title={t('Event rule')}
      what={t('This rule')}
      error={error ?? reactions.error}
      onRetry={() => void (error ? refetch() : reactions.refetch())}
    />
  )
}

function Editor({ id, stored, reactions }: { id?: string; stored?: StoredRule; reactions: readonly StoredReaction[] }) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const me = useFrame().data?.user.Id
  const [draft, setDraft] = useState<RuleDraft>(stored ? draftOf(stored) : emptyRule)
  const [telling, setTelling] = useState<Telling>({ me: id === undefined, emails: [], escalation: escalationOf(reactions) })
  const change = (changes: Partial<RuleDraft>) => setDraft((before) => ({ ...before, ...changes }))
  const save = useMutation({
    mutationFn: async () => {
      const body = { ...ruleBody(draft, stored), ...(stored?.version === undefined ? {} : { version: stored.version }) }
      const answer =
        id === undefined
          ? await call('eventIos.create', { body: body as never })
          : await call('eventIos.update', { params: { id }, body: body as never })
      const eventIoId = id ?? String((answer.data.eventIo as { Id: unknown }).Id)
      const called = (what: string) => `${draft.name.trim()}: ${what}`
      const words = { notify: called(t('told here')), email: called(t('mail')) }
      const { create, update } = reactionWrites(telling, { me, reactions, words })
      for (const { id: reactionId, ...changed } of update)
        await call('eventActions.update', { params: { id: reactionId }, body: changed as never })
      for (const one of create) await call('eventActions.create', { body: { ...one, eventIoId } as never })
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['records', 'eventIo'] })
      await client.invalidateQueries({ queryKey: ['records', 'eventAction'] })
      toast.success({ title: t('Rule saved'), body: draft.name })
      void navigate({ to: '/tracking/event-ios' })
    },
  })
  return (
    <>
      <header className="view-header">
        <div className="view-header-title">
          <h1 tabIndex={-1}>{id === undefined ? t('New event rule') : draft.name}</h1>
        </div>
      </header>
      <div className="fleet-editor">
        <Form noValidate layout="vertical" onFinish={() => save.mutate()}>
          <Form.Item label={t('Name')} htmlFor="rule-name" required>
            <Input id="rule-name" maxLength={120} value={draft.name} onChange={(event) => change({ name: event.target.value })} />
          </Form.Item>
          <When draft={draft} change={change} />
          <Hours draft={draft} change={change} />
          <Form.Item label={t('Severity')} htmlFor="rule-severity">
            <Select
              id="rule-severity"
              value={draft.severity}
              onChange={(severity) => change({ severity })}
              options={severities.map((one) => ({ ...one, label: t(one.label) }))}
            />
          </Form.Item>
          <Form.Item label={t('Quiet afterwards (minutes)')} htmlFor="rule-cooldown">
            <InputNumber
              id="rule-cooldown"
              min={0}
              max={10_080}
              value={draft.cooldownMinutes}
              onChange={(value) => change({ cooldownMinutes: value ?? 0 })}
            />
          </Form.Item>
          <Tell isNew={id === undefined} reactions={reactions} telling={telling} setTelling={setTelling} />
          <label className="fleet-switch">
            <Switch size="small" checked={draft.isActive} onChange={(isActive) => change({ isActive })} /> {t('On')}
          </label>
          {save.error ? <Alert type="error" showIcon title={errorText(save.error)} /> : null}
          <div className="fleet-acts">
            <Button
              type="primary"
              htmlType="submit"
              disabled={draft.name.trim() === '' || !isWhole(telling, reactions)}
              loading={save.isPending}
            >
              {t('Save')}
            </Button>
            <Button onClick={() => void navigate({ to: '/tracking/event-ios' })}>{t('Cancel')}</Button>
          </div>
        </Form>
        <Preview draft={draft} {...(stored ? { stored } : {})} />
      </div>
    </>
  )
}

interface Part {
  draft: RuleDraft
  change: (changes: Partial<RuleDraft>) => void
}

function When({ draft, change }: Part) {
  const { data: fences = [] } = useQuery({
    queryKey: ['records', 'fence', 'all'],
    enabled: isOfFences(draft.eventType),
    queryFn: async ({ signal }) => (await call('fences.all', { params: { x: 'rule' } }, { signal })).data.geofences as unknown as Fence[],
  })
  const options = Object.entries(eventTypes)
    .filter(([value]) => !isScheduled(value) || value === draft.eventType)
    .map(([value, { label }]) => ({ value, label: t(label) }))
  return (
    <>
      <Form.Item label={t('When')} htmlFor="rule-when" required>
        <Select
          id="rule-when"
          showSearch={{ optionFilterProp: 'label' }}
          value={draft.eventType}
          onChange={(eventType) => change({ eventType })}
          options={options}
        />
      </Form.Item>
      {isOfFences(draft.eventType) ? (
        <Form.Item label={t('Only of these fences')} htmlFor="rule-fences" extra={t('Left empty: of any fence')}>
          <Select
            id="rule-fences"
            mode="multiple"
            showSearch={{ optionFilterProp: 'label' }}
            value={draft.fenceIds}
            onChange={(fenceIds) => change({ fenceIds })}
            options={fences.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </Form.Item>
      ) : null}
      {draft.eventType === 'alarm' ? (
        <Form.Item label={t('Only these alarms')} htmlFor="rule-alarms" extra={t('Left empty: any alarm')}>
          <Select
            id="rule-alarms"
            mode="multiple"
            showSearch={{ optionFilterProp: 'label' }}
            value={draft.alarms}
            onChange={(names) => change({ alarms: names })}
            options={Object.entries(alarms).map(([value, { label }]) => ({ value, label: t(label) }))}
          />
        </Form.Item>
      ) : null}
      <Form.Item label={t('Only from this speed (km/h)')} htmlFor="rule-speed">
        <InputNumber id="rule-speed" min={0} max={300} value={draft.minSpeed} onChange={(minSpeed) => change({ minSpeed })} />
      </Form.Item>
    </>
  )
}

function Hours({ draft: { hours }, change }: Part) {
  const time = (key: 'from' | 'to', label: string) => (
    <label>
      {t(label)}{' '}
      <Input
        type="time"
        value={hours?.[key]}
        onChange={(event) => hours && event.target.value && change({ hours: { ...hours, [key]: event.target.value } })}
      />
    </label>
  )
  return (
    <>
      <label className="fleet-switch">
        <Switch
          size="small"
          checked={hours !== null}
          onChange={(on) => change({ hours: on ? { days: [1, 2, 3, 4, 5, 6, 7], from: '22:00', to: '06:00' } : null })}
        />{' '}
        {t('Only in these hours')}
      </label>
      {hours ? (
        <>
          <div className="fleet-days">
            {time('from', 'From')}
            {time('to', 'To')}
          </div>
          <Checkbox.Group
            aria-label={t('Days')}
            value={hours.days}
            onChange={(days) => change({ hours: { ...hours, days: days.toSorted((a, b) => a - b) } })}
            options={weekdays.map((label, index) => ({ value: index + 1, label: t(label) }))}
          />
        </>
      ) : null}
    </>
  )
}

interface Previewed {
  days: number
  events: number
  rings: number
  devices: number
  isCut: boolean
  examples: { id: string; device: string; eventTime: string; geofence: string | null }[]
}

function Preview({ draft, stored }: { draft: RuleDraft; stored?: StoredRule }) {
  const body = useDeferredValue(JSON.stringify(ruleBody(draft, stored)))
  const { data, error } = useQuery({
    queryKey: ['check', 'rule-preview', body],
    enabled: !isScheduled(draft.eventType),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await call('geo.eventIos.preview', { body: JSON.parse(body) }, { signal })).data as unknown as Previewed,
  })
  return (
    <section aria-label={t('Preview')}>
      <h2>{t('The last seven days')}</h2>
      {isScheduled(draft.eventType) ? (
        <p>{t('A rule by time of day leaves nothing to count beforehand.')}</p>
      ) : error ? (
        <Alert type="warning" showIcon title={errorText(error)} />
      ) : data ? (
        <>
          <p role="status">
            <strong>{t('Would have rung {{count}} times', { count: data.rings })}</strong>{' '}
            {t('for {{count}} devices', { count: data.devices })}
            {data.isCut ? ` (${t('of the newest {{count}} events', { count: data.events })})` : ''}
          </p>
          <ol className="fleet-rows">
            {data.examples.map((one) => (
              <li key={one.id}>
                <span>
                  {one.device}
                  {one.geofence ? ` · ${one.geofence}` : ''}
                </span>
                <time dateTime={one.eventTime}>{formatDateTime(one.eventTime)}</time>
              </li>
            ))}
          </ol>
        </>
      ) : (
        <LoadingState />
      )}
    </section>
  )
}
