import { commandInputs, commandNames, commandTypeOf, shortestReason } from '@outpost/contract/geo/commands'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Form, Input, Modal, Select } from 'antd'
import { useState } from 'react'
import { call } from '../../../data/calls.ts'
import { useLayout } from '../../../data/queries.ts'
import { commandWords, stateWord } from '../commands/words.ts'
import { errorText } from '../error-text.ts'
import { toast } from '../../../feedback/toast.ts'
import { t } from '../../../session/labels.ts'
import { formatRelative } from '../../../view/formats.ts'

/** Here only what takes no parameters; the rest is under Send commands. */
const offered = commandNames.filter((name) => commandTypeOf(name)?.needs === undefined)

/** Sends a command to a tracker. What may stop a vehicle needs a reason and a second person, who approves it here. */
export function CommandButton({ deviceId, name }: { deviceId: string; name: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('Send a command to {{name}}', { name })}</Button>
      {isOpen ? <CommandDialog deviceId={deviceId} name={name} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function CommandDialog({ deviceId, name, onClose }: { deviceId: string; name: string; onClose: () => void }) {
  const client = useQueryClient()
  const me = useLayout().data?.user.Id
  const [type, setType] = useState<string>('positionSingle')
  const [reason, setReason] = useState('')
  const key = ['records', 'device', 'commands', deviceId]
  const { data: sent = [] } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await call('devices.details', { params: { id: deviceId } }, { signal })).data.geoDevice.commands,
  })
  const send = useMutation({
    mutationFn: ({ commandType, body }: { commandType: string; body: Record<string, unknown> }) =>
      call('devices.sendCommand', { params: { deviceId, commandId: commandType }, body }),
    onSuccess: ({ data }) => {
      void client.invalidateQueries({ queryKey: key })
      toast.success({ title: data.state === 'asked' ? t('Waits for a second person') : t('The command is on its way') })
    },
  })
  const isDangerous = commandTypeOf(type)?.mayStop === true
  return (
    <Modal
      open
      title={t('Commands to {{name}}', { name })}
      okText={t('Send')}
      okButtonProps={{ disabled: isDangerous && reason.trim().length < shortestReason, danger: isDangerous, loading: send.isPending }}
      cancelText={t('Close')}
      onCancel={onClose}
      onOk={() => send.mutate({ commandType: type, body: reason.trim() === '' ? {} : { reason: reason.trim() } })}
    >
      <Form noValidate layout="vertical">
        <Form.Item label={t('Command')} htmlFor="fleet-command">
          <Select
            id="fleet-command"
            value={type}
            onChange={setType}
            options={offered.map((value) => ({ value, label: commandWords(value) }))}
          />
        </Form.Item>
        <Form.Item
          label={isDangerous ? t('Reason (required)') : t('Reason')}
          htmlFor="fleet-command-reason"
          extra={isDangerous ? t('A second person approves it, and it leaves only while the vehicle stands.') : undefined}
        >
          <Input
            id="fleet-command-reason"
            value={reason}
            maxLength={commandInputs.reason.maxLength}
            onChange={(event) => setReason(event.target.value)}
          />
        </Form.Item>
      </Form>
      {send.error ? <Alert type="error" showIcon title={errorText(send.error)} /> : null}
      {sent.length > 0 ? (
        <ul className="fleet-rows" aria-label={t('Commands so far')}>
          {sent.map((one) => (
            <li key={one.id} data-tone={stateWord(one.state).tone}>
              <span>
                {commandWords(one.type)} · {t(stateWord(one.state).label)} · {formatRelative(one.dateCreated)}
                {(one.reason ?? one.purpose) ? ` · ${one.reason ?? one.purpose}` : ''}
              </span>
              {one.state === 'asked' && one.createdUserId !== me ? (
                <Button
                  size="small"
                  onClick={() => send.mutate({ commandType: one.type, body: { approves: one.id, parameters: one.parameters } })}
                >
                  {t('Approve')}
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
      ) : null}
    </Modal>
  )
}
