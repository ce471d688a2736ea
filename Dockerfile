# syntax=docker/dockerfile:1

# A release adds the current digests of these tags. Both must be of the same Debian release.
ARG NODE=node:24-bookworm-slim
ARG BASE=debian:bookworm-slim

# Copies only the manifests, so that the layers that install are cached until a manifest changes.
FROM $NODE AS manifests
WORKDIR /workspace
COPY package.json package-lock.json .npmrc ./
COPY apps/api/package.json apps/api/
COPY apps/api-e2e/package.json apps/api-e2e/
COPY libs/client/package.json libs/client/
COPY libs/conformance/package.json libs/conformance/
COPY libs/console/package.json libs/console/
COPY libs/conventions/package.json libs/conventions/
COPY libs/create-service/package.json libs/create-service/
COPY libs/dtos/package.json libs/dtos/
COPY libs/exception-filter/package.json libs/exception-filter/
COPY libs/fields/package.json libs/fields/
COPY libs/paging/package.json libs/paging/
COPY libs/service/package.json libs/service/
COPY libs/testing/package.json libs/testing/
COPY libs/throttling/package.json libs/throttling/
COPY tools/package.json tools/

FROM manifests AS production-dependencies
RUN npm ci --omit=dev --workspace=@items/api --include-workspace-root=false
# Removes files that are not read at run time: two fifths of the size.
RUN rm -rf node_modules/typeorm/browser && \
    find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' \) -delete

FROM manifests AS build
RUN npm ci
COPY . .
RUN npm run build
# Only dist and the manifests are needed at run time.
RUN rm -rf libs/testing && find apps libs -depth \( -name src -o -name spec -o -name '*.map' -o -name '*.d.ts' \) -exec rm -rf {} +

# The Debian of the Node image, with Node only: no package manager is needed.
FROM $BASE
ARG VERSION=0.0.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Items" \
      org.opencontainers.image.description="The Items HTTP API" \
      org.opencontainers.image.source="https://github.com/items-api/items" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATABASE_URL=sqlite:/data/items.sqlite
COPY --from=manifests /usr/local/bin/node /usr/local/bin/
RUN groupadd --gid 1000 node && useradd --uid 1000 --gid node --home-dir /data node && \
    install --directory --owner node --group node /data
WORKDIR /workspace
COPY --from=production-dependencies /workspace/node_modules node_modules
COPY --from=build /workspace/libs libs
COPY --from=build /workspace/apps/api/package.json apps/api/
COPY --from=build /workspace/apps/api/dist apps/api/dist
VOLUME /data
# A number, so that Kubernetes can check that it is not root.
USER 1000:1000
EXPOSE 3000
# `node apps/api/dist/admin.js` is `npm run admin --`. The certificate may be for another name than 127.0.0.1.
HEALTHCHECK --interval=10s --timeout=6s --start-period=30s \
  CMD ["node", "-e", "const { PORT, TLS_CERT } = process.env; require(TLS_CERT ? 'https' : 'http').get({ host: '127.0.0.1', port: PORT, path: '/health/ready', rejectUnauthorized: false }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
CMD ["node", "apps/api/dist/main.js"]
