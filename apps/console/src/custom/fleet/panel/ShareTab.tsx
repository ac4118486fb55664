import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Form, Input, Select } from 'antd'
import { CopyOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { endOfDay } from '@outpost/rules/time-zone'
import { call } from '../../../data/calls.ts'
import { toast } from '../../../feedback/toast.ts'
import { companyZone } from '../../../session/formats.ts'
import { t } from '../../../session/labels.ts'
import { useServerMinute } from '../../../view/clock.ts'
import { formatCompanyDateTime } from '../../../view/formats.ts'
import { errorText } from '../error-text.ts'
import { Asked, Nothing } from './parts.tsx'

/** Until the company's day is over, in its last ten minutes until the next one is; every other span in hours. */
const tonight = 0
const endOfSpan = (now: number, hours: number): number =>
  hours === tonight ? endOfDay(now + 600_000, companyZone()) : now + hours * 3_600_000
const spans = [
  { value: tonight, label: 'Until tonight' },
  { value: 4, label: 'For 4 hours' },
  { value: 12, label: 'For 12 hours' },
  { value: 24, label: 'For a day' },
  { value: 168, label: 'For a week' },
]
const blurs = [
  { value: 0, label: 'Exactly where it is' },
  { value: 500, label: 'Within 500 m' },
  { value: 2_000, label: 'Within 2 km' },
]

/** Links that show this asset to people outside: made with an end, shown once, withdrawn at any time. */
export function ShareTab({ id }: { id: string }) {
  const client = useQueryClient()
  const now = useServerMinute()
  const key = ['records', 'shareLink', id]
  const query = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await call('assets.shareLinks', { params: { id } }, { signal })).data.shareLinks,
  })
  const [form, setForm] = useState({ hours: 12, blurMetres: 0, label: '', showsTrail: false })
  const again = () => client.invalidateQueries({ queryKey: key })
  const make = useMutation({
    mutationFn: async () =>
      (
        await call('assets.share', {
          body: {
            assetInfoId: id,
            expireDate: new Date(endOfSpan(now, form.hours)).toISOString(),
            status: 'Active',
            blurMetres: form.blurMetres,
            showsTrail: form.showsTrail,
            ...(form.label.trim() === '' ? {} : { label: form.label.trim() }),
          },
        })
      ).data.link,
    onSuccess: again,
  })
  const end = useMutation({
    mutationFn: (assetShareId: string) => call('assets.changeShare', { body: { assetShareId, status: 'Revoked' } }),
    onSuccess: again,
  })
  const link = make.data === undefined ? undefined : `${location.origin}${make.data}`
  return (
    <>
      <Form noValidate layout="vertical" onFinish={() => make.mutate()}>
        <Form.Item label={t('For whom')} htmlFor="fleet-share-label">
          <Input
            id="fleet-share-label"
            maxLength={120}
            value={form.label}
            onChange={(event) => setForm({ ...form, label: event.target.value })}
          />
        </Form.Item>
        <Form.Item label={t('How long')} htmlFor="fleet-share-hours">
          <Select
            id="fleet-share-hours"
            value={form.hours}
            onChange={(hours) => setForm({ ...form, hours })}
            options={spans.map((one) => ({ ...one, label: t(one.label) }))}
          />
        </Form.Item>
        <Form.Item label={t('How exactly')} htmlFor="fleet-share-blur">
          <Select
            id="fleet-share-blur"
            value={form.blurMetres}
            onChange={(blurMetres) => setForm({ ...form, blurMetres })}
            options={blurs.map((one) => ({ ...one, label: t(one.label) }))}
          />
        </Form.Item>
        <Checkbox
          checked={form.showsTrail}
          disabled={form.blurMetres > 0}
          onChange={(event) => setForm({ ...form, showsTrail: event.target.checked })}
        >
          {t('With the way of the last hour')}
        </Checkbox>
        {(make.error ?? end.error) ? <Alert type="error" showIcon title={errorText(make.error ?? end.error)} /> : null}
        <div className="fleet-acts">
          <Button type="primary" htmlType="submit" loading={make.isPending}>
            {t('Make a link')}
          </Button>
        </div>
      </Form>
      {link === undefined ? null : (
        <div className="fleet-link" role="status">
          <p>{t('Copy it now: it is not shown again.')}</p>
          <Input readOnly aria-label={t('The link')} value={link} />
          <Button
            icon={<CopyOutlined aria-hidden />}
            onClick={() => void navigator.clipboard.writeText(link).then(() => toast.success({ title: t('Copied') }))}
          >
            {t('Copy')}
          </Button>
          <a href={link} target="_blank" rel="noreferrer">
            {t('Open')}
          </a>
        </div>
      )}
      <Asked query={query} what={t('The links')}>
        {(shares) =>
          shares.length === 0 ? (
            <Nothing text={t('Nobody outside sees this asset.')} />
          ) : (
            <ul className="fleet-rows">
              {shares.map((share) => {
                const isOpen = share.status === 'Active' && Date.parse(share.expireDate) > now
                return (
                  <li key={share.Id} data-tone={isOpen ? 'good' : 'quiet'}>
                    <span>
                      <strong>{share.label ?? t('Link')}</strong> ·{' '}
                      {share.status === 'Revoked' ? t('withdrawn') : `${t('until')} ${formatCompanyDateTime(share.expireDate)}`}
                      {share.blurMetres > 0 ? ` · ${t('within')} ${share.blurMetres} m` : ''}
                    </span>
                    {isOpen ? (
                      <Button size="small" danger onClick={() => end.mutate(share.Id)}>
                        {t('Withdraw')}
                      </Button>
                    ) : null}
                  </li>
                )
              })}
            </ul>
          )
        }
      </Asked>
    </>
  )
}
