-- In duplum: no penalty once what accrued in arrears is as much as the principal that was unpaid when they began. A product says so.
alter table "product_version" add column "penaltyInDuplum" boolean not null default false;
