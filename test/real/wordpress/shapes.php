<?php
// The plugin without WordPress: shows each document of standard input, after a good one, and prints what a page would have.
namespace Almanac {
	class Lock {
		public static function take() {
			return true;
		}
		public static function release() {}
	}
}
namespace {
	define( 'ABSPATH', __DIR__ );
	define( 'MINUTE_IN_SECONDS', 60 );
	define( 'HOUR_IN_SECONDS', 3600 );
	define( 'DAY_IN_SECONDS', 86400 );
	error_reporting( E_ALL );
	set_error_handler(
		static function ( $level, $message ) {
			throw new ErrorException( $message );
		}
	);
	$options = array( 'almanac_settings' => array( 'url' => 'https://almanac.example/', 'language' => 'en' ) );
	$served  = array();
	function get_option( $name, $default = false ) {
		return $GLOBALS['options'][ $name ] ?? $default;
	}
	function update_option( $name, $value ) {
		$GLOBALS['options'][ $name ] = $value;
	}
	function delete_option( $name ) {
		unset( $GLOBALS['options'][ $name ] );
	}
	function wp_remote_get( $address ) {
		return $GLOBALS['served'][ substr( $address, strlen( 'https://almanac.example/' ) ) ] ?? null;
	}
	function wp_remote_retrieve_response_code( $answer ) {
		return null === $answer ? 404 : 200;
	}
	function wp_remote_retrieve_body( $answer ) {
		return $answer;
	}
	function wp_json_encode( $value, $flags = 0 ) {
		return json_encode( $value, $flags );
	}
	function wp_cache_delete() {}
	function is_wp_error() {
		return false;
	}
	function current_user_can() {
		return false;
	}
	function is_rtl() {
		return false;
	}
	function get_locale() {
		return 'en_US';
	}
	function wp_date( $format, $at ) {
		return gmdate( 'Y-m-d', $at );
	}
	function wp_parse_url( $address ) {
		return parse_url( $address );
	}
	function sanitize_url( $address ) {
		return $address;
	}
	function shortcode_atts( $all, $given ) {
		return array_merge( $all, $given );
	}
	function esc_html( $text ) {
		return htmlspecialchars( $text, ENT_QUOTES, 'UTF-8', false );
	}
	function esc_attr( $text ) {
		return htmlspecialchars( $text, ENT_QUOTES );
	}
	function esc_url( $text ) {
		return $text;
	}
	function __( $text ) {
		return $text;
	}
	$folder = $argv[1] . '/includes/';
	foreach ( array( 'refusal', 'settings', 'signature', 'published-site', 'ask', 'kept-texts', 'refresher', 'languages', 'sections', 'shape', 'markup', 'display' ) as $name ) {
		if ( file_exists( "{$folder}class-$name.php" ) ) {
			require "{$folder}class-$name.php";
		}
	}
	function put( string $folder, $value ): string {
		$text = is_string( $value ) ? $value : json_encode( $value );
		$hash = hash( 'sha256', $text );
		$GLOBALS['served'][ "v1/$folder/$hash.json" ] = $text;
		return $hash;
	}
	/** Serves these documents as a new state, which a new request sees an hour later. */
	function publish( array $documents, int $version ): void {
		$files = array();
		foreach ( $documents as $path => $text ) {
			$files[ $path ] = array( 'object' => put( 'objects', $text ) );
		}
		$part = put( 'manifests', array( 'files' => $files ) );
		$top  = put( 'manifests', array( 'format' => 1, 'version' => $version, 'parts' => array( 'en/current' => $part ) ) );
		$GLOBALS['served']['v1/pointer.json'] = json_encode( array( 'format' => 1, 'version' => $version, 'manifest' => $top, 'expires' => '2099-01-01T00:00:00Z' ) );
		$site = new ReflectionProperty( 'Almanac\Refresher', 'site' );
		$site->setAccessible( true );
		$site->setValue( null, null );
		foreach ( $GLOBALS['options'] as $name => $value ) {
			if ( 0 === strpos( $name, 'almanac_text_' ) ) {
				$GLOBALS['options'][ $name ] = json_encode( array( 'due' => 0 ) + json_decode( $value, true ) );
			}
		}
		$GLOBALS['options']['almanac_state']['retry'] = 0;
	}
	/** What a page shows once the task has run. */
	function page( array $attributes ): string {
		try {
			Almanac\Refresher::run_due();
			return Almanac\Display::shortcode( $attributes );
		} catch ( Throwable $fault ) {
			return 'FAULT ' . get_class( $fault ) . ': ' . $fault->getMessage();
		}
	}
	$given = json_decode( stream_get_contents( STDIN ), true );
	$shown = array();
	foreach ( $given['cases'] as $case ) {
		$options = array( 'almanac_settings' => $options['almanac_settings'] );
		if ( $case['before'] ?? true ) {
			publish( $given['good'], 1 );
			page( $given['attributes'] );
		}
		foreach ( $case['states'] ?? array( array( 'version' => 2, 'documents' => $case['documents'] ) ) as $state ) {
			publish( array_merge( $given['good'], $state['documents'] ), $state['version'] );
			$html = page( $given['attributes'] );
		}
		$shown[] = $html;
	}
	echo json_encode( $shown );
}
