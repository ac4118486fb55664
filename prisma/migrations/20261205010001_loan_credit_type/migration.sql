-- What kind of credit a loan is by law: caps on its cost go by it, whether it has a product or not. Loans of a product are of its kind.
alter table "loan" add column "creditType" text not null default 'unsecured';

alter table loan no force row level security;
alter table product_version no force row level security;
update loan l set "creditType" = v."creditType" from product_version v
where v."companyId" = l."companyId" and v."id" = l."productVersionId" and v."creditType" <> l."creditType";
alter table product_version force row level security;
alter table loan force row level security;
