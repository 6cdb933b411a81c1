// Sitemaps by the protocol's own schema (sitemaps.org, version 0.9), which npm's `sitemap` carries, read by libxml.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { validateXML } from "xmllint-wasm";

const schema = readFileSync(
  fileURLToPath(new URL("schema/sitemap.xsd", import.meta.resolve("sitemap/package.json"))),
  "utf8",
);

/** The schema of the index stands in a file of its own, which no package carries: its elements, of the protocol's types. */
const withIndex = `<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified"
  xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" targetNamespace="http://www.sitemaps.org/schemas/sitemap/0.9">
  <xsd:include schemaLocation="sitemap.xsd"/>
  <xsd:element name="sitemapindex">
    <xsd:complexType><xsd:sequence>
      <xsd:element name="sitemap" maxOccurs="unbounded">
        <xsd:complexType><xsd:sequence>
          <xsd:element name="loc" type="tLoc"/>
          <xsd:element name="lastmod" type="tLastmod" minOccurs="0"/>
        </xsd:sequence></xsd:complexType>
      </xsd:element>
    </xsd:sequence></xsd:complexType>
  </xsd:element>
</xsd:schema>`;

/** What the schema objects to, each with its file and line. */
export async function faultsBySchema(sitemaps: ReadonlyMap<string, string>): Promise<string[]> {
  const { errors } = await validateXML({
    xml: [...sitemaps].map(([path, contents]) => ({ fileName: path.replaceAll("/", "_"), contents })),
    schema: { fileName: "siteindex.xsd", contents: withIndex },
    preload: { fileName: "sitemap.xsd", contents: schema },
  });
  return errors.map(({ rawMessage }) => rawMessage);
}
