<?php
/**
 * Reads what is published and believes nothing unchecked, as packages/client/almanac.js does: pointer, manifest, part of the manifest,
 * object, each held against its hash. One for each request, so that all texts of a page are from one state of the site.
 *
 * @package Almanac
 */

namespace Almanac;

/** Every method throws a Refusal where the site can't be had or is not believed. */
final class Published_Site {
	/** In one file: PHP takes up to a thousand times its bytes for lists of lists. */
	const MOST_OBJECTS = 20000;

	/**
	 * The site's root, with a slash at its end.
	 *
	 * @var string
	 */
	private $root;

	/**
	 * Keys of which one must have signed; if empty, signatures are not checked.
	 *
	 * @var string[]
	 */
	private $keys;

	/**
	 * When the patience for all files together is over, in seconds since 1970.
	 *
	 * @var float
	 */
	private $deadline;

	/**
	 * Cached result of following the pointer, or its refusal.
	 *
	 * @var array|Refusal|null
	 */
	private $look;

	/**
	 * Files by their hash, checked.
	 *
	 * @var array
	 */
	private $read = array();

	public function __construct( string $root, array $keys, float $patience ) {
		$this->root     = $root;
		$this->keys     = $keys;
		$this->deadline = microtime( true ) + $patience;
	}

	/**
	 * The state that is published now: `version`, `key`, `manifest` and its `parts`.
	 *
	 * @param int $highest The highest version that was seen before.
	 */
	public function look( int $highest = 0 ): array {
		if ( null === $this->look ) {
			try {
				$this->look = $this->look_now( $highest );
			} catch ( Refusal $refusal ) {
				$this->look = $refusal;
			}
		}
		if ( $this->look instanceof Refusal ) {
			throw $this->look;
		}
		return $this->look;
	}

	private function look_now( int $highest ): array {
		$pointer = self::known( $this->file( 'v1/pointer.json', 4096, null ) );
		$version = $pointer['version'];
		$key     = $this->keys ? Signature::signer_of( $pointer, $this->keys ) : null;
		if ( $this->keys && null === $key ) {
			throw new Refusal( 'Forged', 'signed by none of the keys' );
		}
		if ( $version < $highest ) {
			throw new Refusal( 'RolledBack', "version $version after $highest" );
		}
		$expires = $pointer['expires'] ?? '';
		if ( ! is_string( $expires ) || ! ( strtotime( $expires ) > time() ) ) {
			throw new Refusal( 'Frozen', 'expired ' . ( is_string( $expires ) ? $expires : '' ) );
		}
		$hash     = self::hash_in( $pointer, 'manifest' );
		$manifest = self::known( $this->hashed( 'manifests', $hash, 2 ** 20 ) );
		if ( $manifest['version'] !== $version ) {
			throw new Refusal( 'Mixed', "$version names {$manifest['version']}" );
		}
		return array(
			'version'  => $version,
			'key'      => $key,
			'manifest' => $hash,
			'parts'    => is_array( $manifest['parts'] ?? null ) ? $manifest['parts'] : array(),
		);
	}

	/**
	 * The object with the bytes of a path in that state.
	 *
	 * @param string $path Such as `v1/en/daily/latest.json`.
	 */
	public function object_of( string $path ): string {
		if ( ! self::is_path( $path ) ) {
			throw new Refusal( 'NotPublished', $path );
		}
		$language = explode( '/', $path )[1];
		$parts    = $this->look()['parts'];
		foreach ( array( "$language/current", 'shared' ) as $group ) {
			foreach ( array_keys( $parts ) as $part ) {
				if ( preg_replace( '/~\d+$/', '', (string) $part ) !== $group ) {
					continue;
				}
				$files = $this->hashed( 'manifests', self::hash_in( $parts, (string) $part ), 2 ** 18 )['files'] ?? array();
				if ( isset( $files[ $path ] ) && is_array( $files[ $path ] ) ) {
					return self::hash_in( $files[ $path ], 'object' );
				}
			}
		}
		throw new Refusal( 'NotPublished', $path );
	}

	/**
	 * Same as isPublishedPath() of packages/client/almanac.js.
	 *
	 * @param string $path Perhaps of a published file.
	 */
	public static function is_path( string $path ): bool {
		$form = '~^(v1/(schemas/)?|(v1/)?[a-z]{2,3}(-[a-z\d]+)*/([a-z\d-]+/)*)[a-z\d-]+\.[a-z\d]+\z~';
		return 1 === preg_match( $form, $path ) && ! preg_match( '~.{200}|(^|/)(con|prn|aux|nul|(com|lpt)\d)[/.]~', $path );
	}

	/**
	 * Content of the object.
	 *
	 * @param string $hash Its name.
	 */
	public function document( string $hash ): array {
		return $this->hashed( 'objects', $hash, 2 ** 22 );
	}

	/** Whether there is time for one more file. */
	public function has_time(): bool {
		return $this->deadline - microtime( true ) > 0.2;
	}

	private function hashed( string $folder, string $hash, int $most ): array {
		$this->read[ $hash ] = $this->read[ $hash ] ?? $this->file( "v1/$folder/$hash.json", $most, $hash );
		return $this->read[ $hash ];
	}

	private function file( string $path, int $most, ?string $hash ): array {
		$left = $this->deadline - microtime( true );
		if ( $left <= 0 ) {
			throw new Refusal( 'Unreachable', 'no answer in time' );
		}
		$answer = wp_remote_get(
			$this->root . $path,
			array(
				'timeout'             => min( 10, $left ),
				'redirection'         => 0,
				'limit_response_size' => $most + 1,
				'user-agent'          => 'Almanac for WordPress',
			)
		);
		$status = wp_remote_retrieve_response_code( $answer );
		if ( is_wp_error( $answer ) || 200 !== $status ) {
			$seen = is_wp_error( $answer ) ? $answer->get_error_message() : "HTTP $status";
			throw new Refusal( 'Unreachable', "{$this->root}$path: $seen" );
		}
		$text = wp_remote_retrieve_body( $answer );
		if ( strlen( $text ) > $most ) {
			throw new Refusal( 'TooLarge', $path );
		}
		if ( null !== $hash && hash( 'sha256', $text ) !== $hash ) {
			throw new Refusal( 'Mixed', $path );
		}
		if ( substr_count( $text, '[' ) + substr_count( $text, '{' ) > self::MOST_OBJECTS ) {
			throw new Refusal( 'TooLarge', $path );
		}
		$read = json_decode( $text, true );
		if ( ! is_array( $read ) ) {
			throw new Refusal( 'UnknownFormat', "$path is no JSON" );
		}
		return $read;
	}

	private static function known( array $file ): array {
		if ( 1 !== ( $file['format'] ?? null ) || ! is_int( $file['version'] ?? null ) ) {
			throw new Refusal( 'UnknownFormat', 'a format that this plugin does not know: take a newer one' );
		}
		return $file;
	}

	private static function hash_in( array $file, string $name ): string {
		$hash = $file[ $name ] ?? null;
		if ( ! is_string( $hash ) || ! preg_match( '/^[0-9a-f]{64}\z/', $hash ) ) {
			throw new Refusal( 'UnknownFormat', "no hash under $name" );
		}
		return $hash;
	}
}
